package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.pawl.JobQueue;
import dev.pawl.JobQueueBuilder;
import dev.pawl.Worker;
import dev.pawl.WorkerBuilder;
import dev.pawl.admin.EditResult;
import dev.pawl.admin.JobEdit;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobType;
import dev.pawl.api.PayloadCheck;
import dev.pawl.api.PayloadCodec;
import dev.pawl.api.TypeToken;
import dev.pawl.codec.CompressedCodec;
import dev.pawl.codec.EncryptedCodec;
import dev.pawl.codec.JacksonCodec;
import dev.pawl.testkit.QueueTester;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** docs/guides/payloads.md. */
class PayloadsTest {
    record SendWelcome(String address) {}

    static final JobType<SendWelcome> SEND_WELCOME = JobType.of("welcome.send", SendWelcome.class);

    static final JobType<List<Long>> SEND_REPORTS = JobType.of("report.send", new TypeToken<List<Long>>() {});

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    sealed interface Payment permits Card, Cash {}

    record Card(String number) implements Payment {}

    record Cash(int amount) implements Payment {}

    static final JobType<Payment> PAY = JobType.of("pay", Payment.class);

    /** The type in a later release: a property was renamed, another one added. */
    record SendWelcome2(@JsonAlias("address") String email, String language) {
        SendWelcome2 {
            language = language == null ? "en" : language;
        }
    }

    static final JobType<SendWelcome2> SEND_WELCOME_LATER = JobType.of("welcome.send", SendWelcome2.class);

    record WelcomeByPost(String name, String street) {}

    static final JobType<WelcomeByPost> SEND_WELCOME_V2 = JobType.of("welcome.send.v2", WelcomeByPost.class);

    static JobQueue withMapper(DataSource dataSource, JsonMapper mapper) {
        JobQueue queue = JobQueue.builder(dataSource)
                .codec(new JacksonCodec(mapper)) // or Jackson2Codec(mapper), or your own PayloadCodec
                .open();
        return queue;
    }

    static PayloadCodec encrypted(SecretKey key) {
        PayloadCodec codec = EncryptedCodec.of(new CompressedCodec(new JacksonCodec()), "2026-11", key);
        return codec;
    }

    static PayloadCodec replaced(SecretKey key, SecretKey newKey) {
        PayloadCodec replaced =
                EncryptedCodec.of(new JacksonCodec(), "2027-01", newKey).reading("2026-11", key);
        return replaced;
    }

    @Test
    void payloadsAreEncryptedAndKeysReplaced(@TempDir Path folder) {
        List<String> read = new CopyOnWriteArrayList<>();
        SecretKey key = new SecretKeySpec(new byte[32], "AES");
        SecretKey newKey = new SecretKeySpec(new byte[16], "AES");
        EnqueueOptions once = EnqueueOptions.DEFAULTS.uniqueByPayload();
        DataSource file = DocsQueue.file(folder);
        try (JobQueue queue = JobQueue.builder(file).codec(encrypted(key)).open()) {
            long id = queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.org"), once)
                    .jobId();
            assertThat(queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.org"), once)
                            .jobId())
                    .isEqualTo(id);
            assertThat(queue.admin().jobs().find(id).orElseThrow().payload()).startsWith("pawl:aes-gcm:2026-11:");
            changed(queue, encrypted(key), id);
            assertThat(queue.admin().jobs().find(id).orElseThrow().payload()).startsWith("pawl:aes-gcm:2026-11:");
        }
        try (JobQueue queue =
                JobQueue.builder(file).codec(replaced(key, newKey)).open()) {
            long unused = queue.enqueue(SEND_WELCOME, new SendWelcome("bob@example.org"), once)
                    .jobId();
            QueueTester.of(queue)
                    .drain(
                            Worker.on(queue).handle(SEND_WELCOME, (welcome, run) -> read.add(welcome.address())),
                            Duration.ofSeconds(30));
        }
        assertThat(read).containsExactlyInAnyOrder("eve@example.org", "bob@example.org");
    }

    private static void changed(JobQueue queue, PayloadCodec codec, long id) {
        String text = codec.encode(new SendWelcome("eve@example.org"), SEND_WELCOME.payloadType());
        EditResult result = queue.admin().jobs().edit(id, JobEdit.NOTHING.payload(text), "ann");
        assertThat(result).isEqualTo(EditResult.CHANGED);
    }

    static final JobType<SendWelcome2> SEND_WELCOME_2 =
            JobType.of("welcome.send", SendWelcome2.class).version(2);

    @Test
    void aTypeMayHaveAVersion() {
        assertThat(SEND_WELCOME_2.kind()).isEqualTo("welcome.send/v2");
        assertThat(SEND_WELCOME_2.version()).isEqualTo(2);
    }

    @Test
    void aLaterReleaseReadsWhatAnEarlierOneHasWritten(@TempDir Path folder) {
        List<String> read = new CopyOnWriteArrayList<>();
        try (JobQueue queue =
                withMapper(DocsQueue.file(folder), JsonMapper.builder().build())) {
            queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.com"));
            queue.enqueue(SEND_REPORTS, List.of(1L << 40));
            queue.enqueue(PAY, new Cash(5));
            queue.enqueue(SEND_WELCOME_V2, new WelcomeByPost("Ada", "St James's Square"));
            QueueTester.of(queue)
                    .drain(
                            Worker.on(queue)
                                    .handle(SEND_WELCOME_LATER, (welcome, run) -> read.add(welcome.toString()))
                                    .handle(SEND_WELCOME_V2, (welcome, run) -> read.add(welcome.toString()))
                                    .handle(SEND_REPORTS, (ids, run) -> ids.forEach(id -> read.add(id.toString())))
                                    .handle(PAY, (payment, run) -> read.add(payment.toString())),
                            Duration.ofSeconds(30));
        }
        assertThat(read)
                .containsExactlyInAnyOrder(
                        "SendWelcome2[email=ada@example.com, language=en]",
                        "WelcomeByPost[name=Ada, street=St James's Square]",
                        "1099511627776",
                        "Cash[amount=5]");
    }

    /** A service that the handler needs, but a check of payloads does not. */
    interface Mailer {
        void send(String address);
    }

    static final Mailer mailer = address -> {};
    static final PayloadCodec codec = new JacksonCodec();

    @Test
    void theHandlersOfAReleaseAreInOnePlace(@TempDir Path folder) {
        Jobs jobs = new Jobs();
        JobQueueBuilder builder = JobQueue.builder(DocsQueue.file(folder));
        jobs.configure(builder);
        try (JobQueue queue = builder.open()) {
            queue.enqueue(SEND_WELCOME, new SendWelcome("ada@example.org"));
            WorkerBuilder newRelease = Worker.on(queue);
            jobs.addTo(newRelease);
            assertThat(newRelease.checkPayloads().unreadable()).isZero();
            assertThat(newRelease.checkPayloads().read()).isOne();
        }
    }

    @Test
    void aReleaseIsCheckedBeforeItIsDeployedAndReadsAFormerKind(@TempDir Path folder) {
        List<String> read = new CopyOnWriteArrayList<>();
        try (JobQueue queue = DocsQueue.in(folder)) {
            queue.enqueue(JobType.of("mail.welcome", SendWelcome.class), new SendWelcome("ada@example.com"));
            queue.enqueue(PAY, new Cash(5));
            long broken = queue.enqueue(new JobRequest("pay", "{\"type\":\"gold\"}", EnqueueOptions.DEFAULTS))
                    .jobId();
            queue.enqueue(new JobRequest("unknown", "{}", EnqueueOptions.DEFAULTS));
            WorkerBuilder newRelease = Worker.on(queue)
                    .handle(PAY, (payment, run) -> read.add(payment.toString()))
                    .handle(SEND_WELCOME_LATER, (welcome, run) -> read.add(welcome.toString()))
                    .alias("mail.welcome", SEND_WELCOME_LATER);
            PayloadCheck check =
                    newRelease.checkPayloads(); // a WorkerBuilder with the handlers of the release, not started
            assertThat(check.read()).isEqualTo(2);
            assertThat(check.unreadable()).isEqualTo(1);
            assertThat(check.examples()).singleElement().satisfies(one -> {
                assertThat(one.jobId()).isEqualTo(broken);
                assertThat(one.kind()).isEqualTo("pay");
                assertThat(one.why()).contains("gold");
            });
            assertThat(check.unhandled()).containsExactly(Map.entry("unknown", 1L));
            assertThat(check.kinds())
                    .containsExactly(
                            new PayloadCheck.OfKind("mail.welcome", 1, 0), new PayloadCheck.OfKind("pay", 1, 1));
            assertThatThrownBy(() -> Worker.on(queue).checkPayloads()).hasMessageContaining("without handlers");
            assertThat(read).as("nothing was run").isEmpty();
            queue.admin().jobs().cancel(broken);
            QueueTester.of(queue).drain(newRelease, Duration.ofSeconds(30));
            assertThatThrownBy(() -> Worker.on(queue).alias("mail.welcome", SEND_WELCOME_LATER))
                    .hasMessageContaining("has no handler yet");
        }
        assertThat(read)
                .containsExactlyInAnyOrder("SendWelcome2[email=ada@example.com, language=en]", "Cash[amount=5]");
    }
}
