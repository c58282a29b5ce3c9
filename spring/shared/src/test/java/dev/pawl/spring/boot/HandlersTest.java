package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.pawl.JobQueue;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.Chunk;
import dev.pawl.api.ChunkHandler;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobRun;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.TypeToken;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.schedule.ScheduleInfo;
import dev.pawl.servers.TestDatabase;
import dev.pawl.servers.TestServers;
import dev.pawl.spring.JobHandler;
import dev.pawl.spring.JobHandlers;
import dev.pawl.spring.Recurring;
import dev.pawl.spring.WorkerCustomizer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Handlers are found among the beans. */
class HandlersTest {
    static final BlockingQueue<String> RAN = new LinkedBlockingQueue<>();

    private static void expect(String... wanted) throws InterruptedException {
        List<String> left = new java.util.ArrayList<>(List.of(wanted));
        while (!left.isEmpty()) {
            String ran = RAN.poll(60, TimeUnit.SECONDS);
            assertThat(left).contains(ran);
            left.remove(ran);
        }
        assertThat(RAN).isEmpty();
    }

    @JobHandler("class")
    static class OnClass implements dev.pawl.api.JobHandler<List<Long>> {
        @Override
        public void handle(List<Long> numbers, JobRun run) {
            RAN.add("class " + numbers.get(0).longValue());
        }
    }

    abstract static class Base<T> {
        @JobHandler("generic")
        void take(T what) {
            RAN.add("generic " + what);
        }
    }

    static class Generic extends Base<Integer> {}

    static class Methods {
        @JobHandler("${names.of.kind}")
        void both(JobRun run, String text) {
            RAN.add("both " + text + " " + run.attempt());
        }

        @JobHandler(kind = "nothing", timeout = "30s")
        @SuppressWarnings("UnusedMethod") // called by reflection
        private void nothing(JobRun run) {
            RAN.add("nothing " + run.timeLeft().isPresent());
        }

        @JobHandler(value = "primitive", version = 2)
        void primitive(long number) {
            RAN.add("primitive " + number);
        }
    }

    /** Wrapped in a Spring proxy. */
    static class Proxied {
        @Transactional
        @JobHandler("proxied")
        public void handle(String text) {
            RAN.add("proxied " + text);
        }
    }

    static class Scoped {
        @JobHandler("scoped")
        public void handle(String text) {
            RAN.add("scoped " + text);
        }
    }

    @Configuration
    @EnableAutoConfiguration
    @Import({OnClass.class, Generic.class, Methods.class, Proxied.class})
    static class Program {
        @Bean
        @JobHandler("lambda")
        dev.pawl.api.JobHandler<String> lambda() {
            return (text, run) -> RAN.add("lambda " + text);
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Scoped scoped() {
            return new Scoped();
        }

        @Bean
        WorkerCustomizer more() {
            return worker -> worker.handle(JobType.of("more", String.class), (text, run) -> RAN.add("more " + text));
        }
    }

    @Test
    void handlersOfAllKindsRun() throws Exception {
        try (App app = App.start(Program.class, "names.of.kind=mail.send")) {
            assertThat(app.bean(JobHandlers.class).kinds())
                    .containsExactlyInAnyOrder(
                            "class", "generic", "mail.send", "nothing", "primitive/v2", "proxied", "lambda", "scoped");
            JobQueue queue = app.queue();
            queue.enqueue(JobType.of("class", new TypeToken<List<Long>>() {}), List.of(5L));
            queue.enqueue(JobType.of("generic", Integer.class), 6);
            queue.enqueue(JobType.of("mail.send", String.class), "a");
            queue.enqueue(new JobRequest("nothing", "null", EnqueueOptions.DEFAULTS));
            queue.enqueue(JobType.of("primitive", Long.class).version(2), 7L);
            queue.enqueue(JobType.of("proxied", String.class), "b");
            queue.enqueue(JobType.of("lambda", String.class), "c");
            queue.enqueue(JobType.of("scoped", String.class), "d");
            queue.enqueue(JobType.of("more", String.class), "e");
            expect(
                    "class 5",
                    "generic 6",
                    "both a 1",
                    "nothing true",
                    "primitive 7",
                    "proxied b",
                    "lambda c",
                    "scoped d",
                    "more e");
            app.awaitJobs(JobState.COMPLETED, 9);
        }
    }

    static class One {
        @JobHandler("mail.send")
        void first(String text) {}
    }

    @Configuration
    @Import(One.class)
    static class Twice {
        @Bean
        @JobHandler("mail.send")
        dev.pawl.api.JobHandler<String> second() {
            return (text, run) -> {};
        }
    }

    private static void refused(Class<?> program, String... message) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(program);
            context.registerBean(JobHandlers.class, () -> new JobHandlers(context.getBeanFactory()));
            assertThatThrownBy(context::refresh).satisfies(failure -> {
                for (String part : message) {
                    assertThat(failure).hasStackTraceContaining(part);
                }
            });
        }
    }

    @Test
    void twoHandlersOfOneKindFailTheStart() {
        refused(
                Twice.class,
                "kind 'mail.send' has two handlers: ",
                One.class.getName() + ".first (bean '",
                "bean 'second'");
    }

    @Configuration
    static class OtherPayload {
        static final JobType<Integer> MAIL = JobType.of("mail.send", Integer.class);

        @JobHandler("mail.send")
        void send(String text) {}
    }

    @Configuration
    @Import(One.class)
    static class BeanOfOtherPayload {
        @Bean
        JobType<Integer> mail() {
            return JobType.of("mail.send", Integer.class);
        }
    }

    @Configuration
    static class OtherQueue {
        static final JobType<String> MAIL = JobType.of("mail.send", String.class);

        @JobHandler(value = "mail.send", queue = "mail")
        void send(String text) {}
    }

    @Configuration
    static class OtherAttempts {
        @JobHandler(value = "mail.send", attempts = 3)
        void send(String text) {}

        @Bean
        Schedule<String> mails() {
            return Schedule.of("mails", JobType.of("mail.send", String.class), "a", Recurrence.cron("0 8 * * MON"));
        }
    }

    @Test
    void jobTypesThatDifferFromTheirHandlersFailTheStart() {
        refused(
                OtherPayload.class,
                "kind 'mail.send': " + OtherPayload.class.getName() + ".send (bean '",
                "declares payload=java.lang.String, but " + OtherPayload.class.getName()
                        + ".MAIL declares payload=java.lang.Integer: make them the same");
        refused(BeanOfOtherPayload.class, "but the JobType of bean 'mail' declares payload=java.lang.Integer");
        refused(
                OtherQueue.class,
                "declares queue=mail, but " + OtherQueue.class.getName() + ".MAIL declares queue=default");
        refused(OtherAttempts.class, "declares attempts=3, but the schedule of bean 'mails' declares attempts=20");
    }

    @Configuration
    @EnableAutoConfiguration
    static class AtTheAnnotation {
        static final JobType<String> MANY =
                JobType.of("many", String.class).withDefaults(EnqueueOptions.DEFAULTS.queue("mail"));

        static final BlockingQueue<Throwable> FAILURES = new LinkedBlockingQueue<>();

        @JobHandler(value = "many", queue = "${queue}", retryPolicy = "policy", chunk = 10)
        void many(List<String> texts) {
            if (texts.contains("fails")) {
                throw new IllegalStateException("this one fails");
            }
            RAN.add("many " + texts);
        }

        @JobHandler(value = "items", chunk = 10)
        void items(Chunk<Integer> chunk) {
            RAN.add("items " + chunk.payloads());
        }

        @Recurring(cron = "0 3 * * *")
        @JobHandler(value = "report", queue = "reports", attempts = 2)
        void report() {}

        @Recurring(cron = "0 3 * * *", queue = "nights")
        @JobHandler("night")
        void night() {
            RAN.add("night");
        }

        @Bean
        @JobHandler(value = "chunks", chunk = 5)
        ChunkHandler<String> chunks() {
            return chunk -> RAN.add("chunks " + chunk.payloads());
        }

        @Bean
        RetryPolicy policy() {
            return RetryPolicy.forFailure(failure -> {
                if (failure.cause() != null) {
                    FAILURES.add(failure.cause());
                }
                return Duration.ofDays(1);
            });
        }
    }

    @Test
    void queueAttemptsRetryPolicyAndChunksAreSetAtTheAnnotation() throws Exception {
        try (App app = App.start(AtTheAnnotation.class, "queue=mail")) {
            JobQueue queue = app.queue();
            queue.enqueue(AtTheAnnotation.MANY, "a");
            queue.enqueue(JobType.of("items", Integer.class), 1);
            queue.enqueue(JobType.of("chunks", String.class), "b");
            expect("many [a]", "items [1]", "chunks [b]");
            long failing = queue.enqueue(AtTheAnnotation.MANY, "fails").jobId();
            assertThat(AtTheAnnotation.FAILURES.poll(60, TimeUnit.SECONDS)).hasMessage("this one fails");
            await().until(() -> queue.admin().jobs().find(failing).orElseThrow().state() == JobState.AVAILABLE);
            await().until(() -> queue.schedules().list().size() == 2); // the worker writes them after its start
            assertThat(queue.schedules().find("report").orElseThrow().queue()).isEqualTo("reports");
            queue.schedules().runNow("night");
            expect("night"); // regression: the worker did not claim from the queue of a schedule
            queue.schedules().runNow("report");
            await().until(() -> queue.admin().jobs().list(JobFilter.ALL.kind("report")).stream()
                    .anyMatch(job -> job.maxAttempts() == 2 && job.state() == JobState.COMPLETED));
        }
    }

    @Configuration
    static class NoChunkSize {
        @JobHandler("chunks")
        void many(Chunk<String> chunk) {}
    }

    @Configuration
    static class NoList {
        @JobHandler(value = "chunks", chunk = 5)
        void one(String text) {}
    }

    @Configuration
    static class TransactionalChunk {
        @JobHandler(value = "chunks", chunk = 5, transactional = true)
        void many(List<String> texts) {}
    }

    @Configuration
    static class NoPolicy {
        @JobHandler(value = "mail", retryPolicy = "none")
        void mail(String text) {}
    }

    @Test
    void contradictingAnnotationsFailTheStart() {
        refused(NoChunkSize.class, "it takes a Chunk, so it needs a size");
        refused(NoList.class, "such a method takes a List of payloads or a Chunk");
        refused(TransactionalChunk.class, "transactional = true does not work with many jobs in one call");
        refused(NoPolicy.class, "its retryPolicy 'none' is not a bean of type RetryPolicy");
    }

    static class Nightly {
        @Recurring(cron = "0 3 * * *", name = "nightly")
        @JobHandler("report")
        void report() {}
    }

    @Configuration
    @Import(Nightly.class)
    static class NightlyTwice {
        @Recurring(every = "1h", name = "nightly")
        @JobHandler("clean")
        void clean() {}
    }

    @Configuration
    @Import(Nightly.class)
    static class NightlyAsABean {
        @Bean
        Schedule<String> mails() {
            return Schedule.of(
                    "nightly", JobType.of("mail", String.class), "all of you", Recurrence.cron("0 8 * * MON"));
        }
    }

    @Test
    void twoSchedulesOfOneNameFailTheStart() {
        String nightly = Nightly.class.getName() + ".report (bean '";
        refused(NightlyTwice.class, "schedule 'nightly' is declared twice: by ", nightly, "clean (bean '");
        refused(NightlyAsABean.class, "schedule 'nightly' is declared twice: by " + nightly, "bean 'mails'");
    }

    static class Final {
        @JobHandler("final")
        public final void handle(String text) {}

        @Transactional
        public void other() {}
    }

    @Configuration
    @EnableTransactionManagement(proxyTargetClass = true)
    @Import(Final.class)
    static class FinalBehindAProxy {
        @Bean
        PlatformTransactionManager transactions() {
            return new ResourcelessTransactions();
        }
    }

    @SuppressWarnings("serial")
    static class ResourcelessTransactions extends AbstractPlatformTransactionManager {
        @Override
        protected Object doGetTransaction() {
            return this;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @Configuration
    @Import(Final.class)
    static class FinalWithoutOne {}

    @Test
    void finalMethodsBehindAProxyFailTheStart() {
        refused(FinalBehindAProxy.class, "handle (bean '", "it is final", "remove 'final'");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(FinalWithoutOne.class);
            context.registerBean(JobHandlers.class, () -> new JobHandlers(context.getBeanFactory()));
            context.refresh();
            assertThat(context.getBean(JobHandlers.class).kinds()).containsExactly("final");
        }
    }

    @Configuration
    static class WithoutKind {
        @Bean
        dev.pawl.api.JobHandler<String> nameless() {
            return (text, run) -> {};
        }
    }

    @Configuration
    @SuppressWarnings("rawtypes")
    static class WithoutPayload {
        @Bean
        @JobHandler("raw")
        dev.pawl.api.JobHandler raw() {
            return (text, run) -> {};
        }
    }

    @Configuration
    static class Returns {
        @JobHandler("returns")
        String result(String text) {
            return text;
        }
    }

    @Configuration
    static class TooMany {
        @JobHandler("many")
        void many(String text, String more) {}
    }

    @Configuration
    static class BadKind {
        @JobHandler("no blanks")
        void blanks(String text) {}
    }

    @Configuration
    static class Variable {
        @JobHandler("variable")
        <T> void variable(T any) {}
    }

    @Test
    void invalidHandlersFailTheStart() {
        refused(WithoutKind.class, "bean 'nameless' cannot handle jobs", "its kind is missing");
        refused(WithoutPayload.class, "bean 'raw' cannot handle jobs", "the type of its payload is not declared");
        refused(Returns.class, "result (bean '", "a handler returns nothing");
        refused(TooMany.class, "many (bean '", "too many parameters");
        refused(BadKind.class, "blanks (bean '", "kind 'no blanks' is not valid");
        refused(Variable.class, "variable (bean '", "not a complete type");
    }

    @Configuration
    @EnableAutoConfiguration
    static class Recurs {
        static final BlockingQueue<Instant> TICKS = new LinkedBlockingQueue<>();

        @Recurring(every = "${tick}")
        @JobHandler("tick")
        void tick(JobRun run) {
            TICKS.add(run.tick().orElseThrow());
        }

        @Recurring(cron = "0 3 * * *", zone = "Europe/Rome", name = "nightly")
        @JobHandler("report")
        void report() {}

        @Recurring(cron = "-")
        @JobHandler("off")
        void off() {}

        @Bean
        Schedule<String> weekly() {
            return Schedule.of(
                    "weekly", JobType.of("mail", String.class), "all of you", Recurrence.cron("0 8 * * MON"));
        }
    }

    @Test
    void aMethodRuns() throws Exception {
        try (App app = App.start(Recurs.class, "tick=1s")) {
            Instant first = Recurs.TICKS.poll(60, TimeUnit.SECONDS);
            Instant second = Recurs.TICKS.poll(60, TimeUnit.SECONDS);
            assertThat(second).isAfter(first);
            assertThat(app.queue().schedules().list())
                    .extracting(ScheduleInfo::name)
                    .containsExactly("nightly", "tick", "weekly");
            assertThat(app.queue().schedules().find("nightly").orElseThrow().recurrence())
                    .hasToString("0 3 * * * in Europe/Rome");
        }
    }

    /** In {@link Moved}, a bean declares the schedule of this name instead of the recurring method. */
    @Configuration
    @EnableAutoConfiguration
    static class Switchable {
        @Recurring(cron = "${report.cron}", name = "nightly")
        @JobHandler("report")
        void report() {}
    }

    @Configuration
    @EnableAutoConfiguration
    static class Moved {
        @Recurring(cron = "-", name = "nightly")
        @JobHandler("report")
        void report() {}

        @Bean
        Schedule<String> nightly() {
            return Schedule.of(
                    "nightly", JobType.of("mail", String.class), "all of you", Recurrence.cron("0 8 * * MON"));
        }
    }

    @Test
    void disabledSchedulesAreRemoved() {
        try (TestDatabase database = TestServers.sqlite().createDatabase()) {
            awaitSchedules(List.of("nightly"), database, Switchable.class, "report.cron=0 3 * * *");
            awaitSchedules(List.of(), database, Switchable.class, "report.cron=-");
            awaitSchedules(List.of("nightly"), database, Switchable.class, "report.cron=0 4 * * *");
            awaitSchedules(List.of("nightly"), database, Moved.class);
        }
    }

    /** A worker declares its schedules soon after its start. */
    private static void awaitSchedules(
            List<String> names, TestDatabase database, Class<?> program, String... properties) {
        List<String> all = new java.util.ArrayList<>(List.of(properties));
        all.add(App.WITHOUT_JPA);
        try (ConfigurableApplicationContext context =
                App.context(database.jdbcUrl(), program, all.toArray(String[]::new))) {
            JobQueue queue = context.getBean(JobQueue.class);
            await().atMost(App.LONG)
                    .until(() -> queue.schedules().list().stream()
                            .map(ScheduleInfo::name)
                            .toList()
                            .equals(names));
        }
    }

    @Configuration
    static class Aside {
        @Async
        @JobHandler("aside")
        public void aside(String text) {}
    }

    @Async
    @JobHandler("aside.bean")
    static class AsideBean implements dev.pawl.api.JobHandler<String> {
        @Override
        public void handle(String text, JobRun run) {}
    }

    @Test
    void asynchronousHandlersFailTheStart() {
        refused(Aside.class, "aside (bean '", "it is @Async");
        refused(AsideBean.class, "cannot handle jobs: it is @Async");
    }

    @Configuration
    static class RecursWithPayload {
        @Recurring(cron = "0 3 * * *")
        @JobHandler("report")
        void report(String what) {}
    }

    @Configuration
    static class RecursByMistake {
        @Recurring(cron = "0 3 * * *", zone = "Rome")
        @JobHandler("report")
        void report() {}
    }

    @Configuration
    static class RecursWithoutKind {
        @Recurring(cron = "0 3 * * *")
        void report() {}
    }

    @Test
    void invalidRecurrencesFailTheStart() {
        refused(RecursWithPayload.class, "@Recurring does not know its payload");
        refused(RecursByMistake.class, "'Rome' is not a time zone");
        refused(RecursWithoutKind.class, "has @Recurring, but no @JobHandler");
    }
}
