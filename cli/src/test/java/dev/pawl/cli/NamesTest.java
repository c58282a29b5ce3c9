package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.JobQueue;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobType;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** Unknown names are refused, and the nearest known ones are suggested. */
class NamesTest {
    @TempDir
    private Path folder = Path.of("");

    private Program program = new Program("");

    @BeforeEach
    void fill() {
        program = Program.onFile(folder);
        program.run("enqueue", "mail.send", "{}", "--queue", "mails", "--key", "ada");
        program.run("add", "schedule", "nightly", "report.make", "--cron", "@daily");
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    private Program.Result run(List<String> words) {
        return program.run(words.toArray(String[]::new));
    }

    @Test
    void unknownQueuesAndKindsAreRefusedWithoutTheOptionForNewNames() {
        for (List<String> words : List.of(
                List.of("pause", "queue", "mial"),
                List.of("pause", "queue", "mial", "--for", "1h"),
                List.of("resume", "queue", "mial"),
                List.of("set", "strategy", "mial", "rows"),
                List.of("set", "limit", "queue", "mial", "--at-once", "3"),
                List.of("set", "limit", "keys", "mial", "--at-once", "3"),
                List.of("set", "retention", "queue", "mial", "--completed", "3d"),
                List.of("move", "job", "1", "--to", "mial"),
                List.of("move", "jobs", "--tag", "none", "--to", "mial"))) {
            Program.Result refused = run(words);
            assertThat(refused.exit()).as("%s", words).isOne();
            assertThat(refused.err()).as("%s", words).contains("there is no queue mial (did you mean mails?)");
        }
        for (List<String> words : List.of(
                List.of("pause", "kind", "mail.sent", "--for", "1h"),
                List.of("resume", "kind", "mail.sent"),
                List.of("set", "limit", "kind", "mail.sent", "--at-once", "3"),
                List.of("set", "retention", "kind", "mail.sent", "--completed", "3d"))) {
            Program.Result refused = run(words);
            assertThat(refused.exit()).as("%s", words).isOne();
            assertThat(refused.err()).as("%s", words).contains("there is no kind mail.sent (did you mean mail.send?)");
        }
        assertThat(program.run("pause", "key", "mails", "adda", "--for", "1h").err())
                .contains("no job of queue mails has the key adda");
        Program.Result resumed = program.run("resume", "key", "mails", "adda");
        assertThat(resumed.exit()).isOne();
        assertThat(resumed.err()).contains("no job of queue mails has the key adda");
        assertThat(program.run("resume", "key", "mails", "ada").out()).contains("was not paused");
        assertThat(program.run("pause", "key", "mails", "ada", "--for", "1h").exit())
                .isZero();
        assertThat(run(with(List.of("pause", "kind", "mail.sent", "--for", "1h"), "--new"))
                        .out())
                .contains("kind mail.sent is paused for 1 h");
        assertThat(program.run("resume", "kind", "mail.sent").out()).contains("kind mail.sent runs again");
        assertThat(program.run("pause", "kind", "report.make", "--for", "1h").exit())
                .as("a kind that only a schedule has")
                .isZero();
    }

    /** A deployment may set a limit before the first job. */
    @Test
    void settingsForNewNamesAreAcceptedUnlessTheyResembleKnownNames() {
        for (List<String> words : List.of(
                List.of("set", "strategy", "a-new-queue", "rows"),
                List.of("set", "limit", "queue", "another-queue", "--at-once", "3"),
                List.of("set", "limit", "kind", "quite.other", "--at-once", "3"),
                List.of("set", "retention", "kind", "still.unknown", "--completed", "3d"))) {
            Program.Result done = run(words);
            assertThat(done.exit()).as("%s: %s", words, done.err()).isZero();
            assertThat(done.err())
                    .as("%s", words)
                    .contains("warning: no job, worker, schedule or setting has the name");
            Program.Result again = run(words);
            assertThat(again.exit()).as("%s: %s", words, again.err()).isZero();
            assertThat(again.err()).as("%s", words).isEmpty();
        }
        assertThat(program.run("pause", "queue", "a-third-queue").err()).contains("there is no queue a-third-queue");
        assertThat(program.run("set", "limit", "kind", "mail.send", "--at-once", "3")
                        .err())
                .isEmpty();
    }

    /** The names of the first jobs are found behind 35,000 newer jobs. */
    @Test
    void namesOfOldJobsAreKnown() {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        JobType<Integer> many = JobType.of("many", Integer.class);
        try (JobQueue queue = JobQueue.open(file)) {
            IntStream.range(0, 35)
                    .forEach(i -> queue.enqueueAll(
                            many,
                            IntStream.range(0, 1_000).boxed().toList(),
                            number -> EnqueueOptions.DEFAULTS.queue("mails").key("bob")));
        }
        for (List<String> words : List.of(
                List.of("pause", "key", "mails", "ada", "--for", "1h"),
                List.of("pause", "kind", "mail.send", "--for", "1h"),
                List.of("pause", "queue", "mails"))) {
            Program.Result done = run(words);
            assertThat(done.exit()).as("%s: %s", words, done.err()).isZero();
            assertThat(done.err()).as("%s", words).isEmpty();
        }
    }

    /** A pause may be urgent, so it must not fail because a name cannot be looked up. */
    @Test
    void aNameIsAcceptedWithAWarningIfTheDatabaseCannotAnswer() throws Exception {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl(program.url());
        try (Connection connection = file.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE pawl_schedule RENAME TO gone");
        }
        Program.Result done = program.run("pause", "queue", "mial");
        assertThat(done.exit()).as(done.err()).isZero();
        assertThat(done.out()).contains("queue mial is paused");
        assertThat(done.err()).contains("warning: the queue mial could not be verified");
    }

    @Test
    void theNearestSchedulesAndSeriesAreSuggested() {
        for (String verb : List.of("pause", "resume", "run", "remove")) {
            assertThat(program.run(verb, "schedule", "nigthly").err())
                    .contains("there is no schedule nigthly (did you mean nightly?)");
        }
        assertThat(program.run("schedule", "x").err())
                .contains("there is no schedule x")
                .doesNotContain("did you mean");
        program.run(
                "work",
                "--until-empty",
                "--queues",
                "mails",
                "--slot",
                "mail.send=invoices",
                "--handler",
                "mail.send=exec:true");
        for (List<String> words : List.of(
                List.of("gaps", "invoice"),
                List.of("trim", "series", "invoice"),
                List.of("flush", "series", "invoice", "invoice"),
                List.of("free", "slot", "invoice", "1"))) {
            assertThat(run(words).err())
                    .as("%s", words)
                    .contains("there is no series invoice (did you mean invoices?)");
        }
    }

    @Test
    void theNearestNamesComeFirst() {
        assertThat(NearestNames.of("mial", List.of("mail", "mails", "report", "sms")))
                .containsExactly("mail", "mails");
        assertThat(NearestNames.of("Mail", List.of("mail"))).containsExactly("mail");
        assertThat(NearestNames.of("send", List.of("mail.send", "x"))).containsExactly("mail.send");
        assertThat(NearestNames.question("a", List.of("b1", "c1", "d1"))).isEqualTo(" (did you mean b1, c1 or d1?)");
        assertThat(NearestNames.distance("kitten", "sitting")).isEqualTo(3);
    }
}
