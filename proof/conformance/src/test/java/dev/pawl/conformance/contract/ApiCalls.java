package dev.pawl.conformance.contract;

import static dev.pawl.conformance.contract.ApiCall.Role.PRODUCER;
import static dev.pawl.conformance.contract.ApiCall.Role.PRODUCER_WITH_MORE;
import static dev.pawl.conformance.contract.ApiCall.Role.READER;
import static dev.pawl.conformance.contract.ApiCall.Role.WORKER;
import static dev.pawl.conformance.contract.ApiTargets.later;
import static dev.pawl.conformance.contract.Fixture.GREET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.pawl.Batch;
import dev.pawl.JobHandle;
import dev.pawl.JobQueue;
import dev.pawl.Limits;
import dev.pawl.Schedules;
import dev.pawl.SlotSeries;
import dev.pawl.Slots;
import dev.pawl.Worker;
import dev.pawl.Workflow;
import dev.pawl.admin.Admin;
import dev.pawl.admin.JobAdmin;
import dev.pawl.admin.JobChange;
import dev.pawl.admin.JobEdit;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.Maintenance;
import dev.pawl.admin.QueueAdmin;
import dev.pawl.admin.RemoteWorkerStatus;
import dev.pawl.admin.RetentionRule;
import dev.pawl.admin.RunAdmin;
import dev.pawl.admin.WorkerAdmin;
import dev.pawl.admin.WorkflowInfo;
import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.EnqueueResult;
import dev.pawl.api.Enqueuer;
import dev.pawl.api.JobRequest;
import dev.pawl.api.JobState;
import dev.pawl.api.JobType;
import dev.pawl.api.OnDuplicate;
import dev.pawl.api.Outcome;
import dev.pawl.api.Retention;
import dev.pawl.api.RetryPolicy;
import dev.pawl.api.Signal;
import dev.pawl.api.Strategy;
import dev.pawl.api.TypeToken;
import dev.pawl.api.UniqueWhile;
import dev.pawl.api.WorkerCommand;
import dev.pawl.internal.store.Lease;
import dev.pawl.limit.ConcurrencyKey;
import dev.pawl.limit.Limit;
import dev.pawl.limit.Subject;
import dev.pawl.schedule.Missed;
import dev.pawl.schedule.Overlap;
import dev.pawl.schedule.Recurrence;
import dev.pawl.schedule.Schedule;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.RemoteRun;
import dev.pawl.spi.RemoteRuns;
import dev.pawl.spi.Series;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All public operations that use the database, with the roles that may call them. */
final class ApiCalls {
    /** Allowed to producers and to each role that has their rights. */
    private static final Set<ApiCall.Role> ENQUEUE = Set.of(PRODUCER, PRODUCER_WITH_MORE, WORKER);

    private static final Set<ApiCall.Role> ENQUEUE_MORE = Set.of(PRODUCER_WITH_MORE, WORKER);
    private static final Set<ApiCall.Role> READ = Set.of(READER, WORKER);
    private static final Set<ApiCall.Role> CHANGE = Set.of(WORKER);

    private static final List<Class<?>> API = List.of(
            JobQueue.class,
            Enqueuer.class,
            JobHandle.class,
            Batch.class,
            Workflow.class,
            Admin.class,
            JobAdmin.class,
            RunAdmin.class,
            QueueAdmin.class,
            WorkerAdmin.class,
            Maintenance.class,
            Leadership.class,
            Series.class,
            Limits.class,
            Schedules.class,
            Slots.class,
            SlotSeries.class,
            RemoteRuns.class);

    /** Operations that send no statements. */
    private static final Set<String> ASK_NOTHING = Set.of(
            "JobQueue.unwrap(Class)",
            "JobQueue.within(Connection)",
            "JobQueue.slots()",
            "JobQueue.schedules()",
            "JobQueue.limits()",
            "JobQueue.batch(String)",
            "JobQueue.batch(long)",
            "JobQueue.batch(JobRun)",
            "JobQueue.workflow(String)",
            "JobQueue.workflow(long)",
            "JobQueue.workflow(JobRun)",
            "JobQueue.handle(long, Class)",
            "JobQueue.handle(long, TypeToken)",
            "JobQueue.sqlToEnqueue()",
            "JobQueue.wake(String)",
            "JobQueue.admin()",
            "Admin.jobs()",
            "Admin.runs()",
            "Admin.queues()",
            "Admin.workers()",
            "Admin.maintenance()",
            "JobQueue.describe()",
            "JobQueue.isReadOnly()",
            "JobQueue.close()",
            "JobHandle.id()",
            "Batch.id()",
            "Batch.with(EnqueueOptions)",
            "Batch.batch(String)",
            "Batch.within(Connection)",
            "Workflow.id()",
            "Slots.defaultTtl(Duration)",
            "Slots.series(String)",
            "SlotSeries.startFrom(Supplier)",
            "SlotSeries.next(UnaryOperator)",
            "SlotSeries.numbers(long, long)",
            "SlotSeries.until(Instant)",
            "SlotSeries.ttl(Duration)",
            "SlotSeries.retryDeadline(Function)",
            "SlotSeries.gapless(boolean)",
            "SlotSeries.holdOnFailure(boolean)",
            "SlotSeries.maxProbes(int)",
            "SlotSeries.around(JobHandler)",
            "SlotSeries.aroundWithOutcome(WithOutcome)",
            "RemoteRuns.realm()");

    /** Allowed to the owner of the tables only. */
    private static final Set<String> OWNERS = Set.of("Maintenance.tune(Tuning)");

    private static final String SELECT_ONE = "SELECT 'greet', '\"x\"' FROM (SELECT 1 AS one) AS rows_of_mine";

    private ApiCalls() {}

    /** {@return all operations} */
    static List<ApiCall> all() {
        List<ApiCall> all = new ArrayList<>();
        all.addAll(enqueues());
        all.addAll(uniqueKeys());
        all.addAll(groups());
        all.addAll(jobs());
        all.addAll(manyJobs());
        all.addAll(queues());
        all.addAll(others());
        return all;
    }

    /** {@return methods of the API that are missing from the lists above} */
    static List<String> forgotten() {
        Set<String> known = all().stream().map(ApiCall::name).collect(Collectors.toSet());
        return API.stream()
                .flatMap(type -> Arrays.stream(type.getMethods())
                        .filter(method -> method.getDeclaringClass() == type
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.isSynthetic())
                        .map(method -> name(type, method)))
                .filter(name -> !known.contains(name) && !ASK_NOTHING.contains(name) && !OWNERS.contains(name))
                .sorted()
                .toList();
    }

    private static String name(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /** {@return the table of docs/reference/roles.md} */
    static String table() {
        return "| role | may call |\n|---|---|\n"
                + row("`jobs_producer`, `jobs_worker`", ENQUEUE)
                + row(
                        "`jobs_producer` with the grants [below](#what-a-producer-is-refused), `jobs_worker`",
                        ENQUEUE_MORE)
                + row("`jobs_reader`, `jobs_worker`", READ)
                + row("everybody", EnumSet.allOf(ApiCall.Role.class))
                + row("`jobs_worker`", CHANGE)
                + "| the owner of the tables | " + named(OWNERS.stream()) + " |\n";
    }

    private static String row(String roles, Set<ApiCall.Role> may) {
        return "| " + roles + " | "
                + named(all().stream().filter(call -> call.may().equals(may)).map(ApiCall::name)) + " |\n";
    }

    /** Shortens each method to its name; leaves descriptions as they are. */
    private static String named(Stream<String> names) {
        return names.map(name -> name.matches("\\w+\\.\\w+\\(.*")
                        ? "`" + name.substring(0, name.indexOf('(')).replaceFirst("^(JobQueue|Enqueuer)\\.", "") + "`"
                        : name)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static ApiCall enqueue(String name, ApiCall.Call call) {
        return new ApiCall(name, ENQUEUE, call);
    }

    private static ApiCall read(String name, ApiCall.Call call) {
        return new ApiCall(name, READ, call);
    }

    private static ApiCall change(String name, ApiCall.Call call) {
        return new ApiCall(name, CHANGE, call);
    }

    private static JobRequest request() {
        return new JobRequest("greet", "\"x\"", later());
    }

    private static JobRequest tick() {
        return new JobRequest("greet", "\"x\"", EnqueueOptions.DEFAULTS);
    }

    private static List<ApiCall> enqueues() {
        return List.of(
                enqueue("Enqueuer.enqueue(JobType, Object)", t -> t.queue.enqueue(GREET, "in a lane")),
                enqueue(
                        "JobQueue.enqueue(JobType, Object, EnqueueOptions)",
                        t -> t.queue.enqueue(GREET, "later", later())),
                enqueue("JobQueue.enqueue(JobRequest)", t -> t.queue.enqueue(request())),
                enqueue(
                        "Enqueuer.enqueue(JobType, Object, EnqueueOptions)",
                        t -> t.within(jobs -> jobs.enqueue(GREET, "later", later()))),
                enqueue("Enqueuer.enqueue(JobRequest)", t -> t.within(jobs -> jobs.enqueue(request()))),
                enqueue("Enqueuer.enqueueAll(JobType, Iterable)", t -> t.queue.enqueueAll(GREET, List.of("1", "2"))),
                enqueue(
                        "JobQueue.enqueueAll(JobType, Iterable, Function)",
                        t -> t.queue.enqueueAll(GREET, List.of("1", "2"), any -> later())),
                enqueue("Enqueuer.enqueueAll(JobType, Stream)", t -> t.queue.enqueueAll(GREET, Stream.of("1", "2"))),
                enqueue("JobQueue.enqueueAll(Iterable)", t -> t.queue.enqueueAll(List.of(request(), request()))),
                enqueue(
                        "Enqueuer.enqueueAll(JobType, Iterable, Function)",
                        t -> t.within(jobs -> jobs.enqueueAll(GREET, List.of("1", "2"), any -> later()))),
                enqueue(
                        "Enqueuer.enqueueAll(Iterable)",
                        t -> t.within(jobs -> jobs.enqueueAll(List.of(request(), request())))),
                enqueue("JobQueue.enqueueEach(List)", t -> t.queue.enqueueEach(List.of(request(), request()))),
                enqueue(
                        "Enqueuer.enqueueEach(List)",
                        t -> t.within(jobs -> jobs.enqueueEach(List.of(request(), request())))),
                enqueue(
                        "JobQueue.enqueueFrom(EnqueueOptions, String, Object[])",
                        t -> t.queue.enqueueFrom(later(), SELECT_ONE)),
                enqueue(
                        "Enqueuer.enqueueFrom(EnqueueOptions, String, Object[])",
                        t -> t.within(jobs -> jobs.enqueueFrom(later(), SELECT_ONE))),
                enqueue("with a key", t -> t.queue.enqueue(GREET, "x", later().key(t.name()))),
                enqueue(
                        "many with keys",
                        t -> t.queue.enqueueAll(GREET, List.of("1", "2"), any -> later().key("of all"))),
                enqueue(
                        "with all other options",
                        t -> t.queue.enqueue(
                                GREET,
                                "x",
                                later().tags("a", "b")
                                        .header("h", "v")
                                        .cost(2)
                                        .expiresIn(Duration.ofDays(1))
                                        .timeout(Duration.ofMinutes(1))
                                        .retryFixed(Duration.ofMinutes(1)))));
    }

    private static List<ApiCall> uniqueKeys() {
        List<ApiCall> calls = new ArrayList<>();
        calls.add(enqueue("a unique key twice", t -> twice(t, later().uniqueKey(t.name()))));
        calls.add(enqueue("many with unique keys twice", t -> {
            String key = t.name();
            for (int i = 0; i < 2; i++) {
                t.queue.enqueueAll(GREET, List.of("1", "2"), text -> later().uniqueKey(key + text));
            }
        }));
        calls.add(enqueue(
                "a unique key for a time twice", t -> twice(t, later().uniqueKey(t.name(), Duration.ofHours(1)))));
        for (UniqueWhile scope : UniqueWhile.values()) {
            boolean live = scope == UniqueWhile.LIVE;
            calls.add(new ApiCall(
                    "uniqueWhile " + scope + " twice",
                    live ? ENQUEUE : ENQUEUE_MORE,
                    t -> twice(t, later().uniqueKey(t.name()).uniqueWhile(scope))));
            calls.add(enqueue(
                    "uniqueWhile " + scope + " once",
                    t -> t.queue.enqueue(GREET, "x", later().uniqueKey(t.name()).uniqueWhile(scope))));
            calls.add(new ApiCall(
                    "REPLACE uniqueWhile " + scope,
                    ENQUEUE_MORE,
                    t -> twice(t, later().uniqueKey(t.name()).uniqueWhile(scope).onDuplicate(OnDuplicate.REPLACE))));
        }
        calls.add(new ApiCall(
                "JobQueue.enqueueMerged(JobType, Object, EnqueueOptions, BinaryOperator)", ENQUEUE_MORE, t -> {
                    EnqueueOptions options = later().uniqueKey(t.name());
                    t.fixture.enqueue(options);
                    EnqueueResult unused = t.queue.enqueueMerged(GREET, "x", options, (before, now) -> before + now);
                }));
        calls.add(new ApiCall("maxWaiting", ENQUEUE_MORE, t -> {
            String name = t.name();
            try (JobQueue bounded = JobQueue.builder(t.pool)
                    .tablePrefix(t.fixture.prefix)
                    .migrate(false)
                    .maxWaiting(name, 5)
                    .open()) {
                bounded.enqueue(GREET, "x", later().queue(name));
            }
        }));
        calls.add(new ApiCall("a queue that a limit bounds (Limit.maxWaiting)", ENQUEUE_MORE, t -> {
            String name = t.name();
            t.fixture.queue.limits().set(Limit.queue(name).maxWaiting(100));
            try (JobQueue fresh = JobQueue.builder(t.pool)
                    .tablePrefix(t.fixture.prefix)
                    .migrate(false)
                    .open()) {
                fresh.enqueue(GREET, "x", later().queue(name));
            }
        }));
        calls.add(new ApiCall("a unique key of a job that has expired", ENQUEUE_MORE, t -> {
            String key = t.name();
            long id = t.fixture.enqueue(EnqueueOptions.DEFAULTS.uniqueKey(key).expiresIn(Duration.ofMillis(1)));
            t.fixture.letLeasesExpire(Duration.ofMillis(1));
            EnqueueResult result = t.queue.enqueue(GREET, "x", later().uniqueKey(key));
            if (result.jobId() == id) {
                throw new AssertionError("the key is still that of the job that has expired");
            }
        }));
        return calls;
    }

    private static void twice(ApiTargets t, EnqueueOptions options) {
        t.fixture.enqueue(options);
        EnqueueResult result = t.queue.enqueue(GREET, "x", options);
        if (result instanceof EnqueueResult.Inserted) {
            throw new AssertionError(options + " inserted a second job");
        }
    }

    private static List<ApiCall> groups() {
        return List.of(
                change(
                        "BatchBuilder.open()",
                        t -> t.queue
                                .batch(t.name())
                                .onDone(GREET, "x")
                                .stopWhen(50, 2)
                                .canary(1)
                                .open()),
                change(
                        "Batch.enqueue(JobType, Object, EnqueueOptions)",
                        t -> t.queue.batch(t.batch().id()).enqueue(GREET, "x", later())),
                change("Batch.enqueue(JobRequest)", t -> {
                    Batch batch = t.queue.batch(t.batch().id());
                    t.transaction(connection -> batch.within(connection).enqueue(request()));
                }),
                change(
                        "Batch.enqueueAll(JobType, Iterable, Function)",
                        t -> t.queue.batch(t.batch().id()).enqueueAll(GREET, List.of("1", "2"), any -> later())),
                change(
                        "Batch.enqueueAll(Iterable)",
                        t -> t.queue.batch(t.batch().id()).enqueueAll(List.of(request(), request()))),
                change(
                        "Batch.enqueueEach(List)",
                        t -> t.queue.batch(t.batch().id()).enqueueEach(List.of(request(), request()))),
                change(
                        "Batch.enqueueFrom(EnqueueOptions, String, Object[])",
                        t -> t.queue.batch(t.batch().id()).enqueueFrom(later(), SELECT_ONE)),
                change("Batch.seal()", t -> t.queue.batch(t.batch().id()).seal()),
                change("Batch.seal(Connection)", t -> {
                    Batch batch = t.queue.batch(t.batch().id());
                    t.transaction(batch::seal);
                }),
                change("Batch.pause()", t -> t.queue.batch(t.batch().id()).pause()),
                change("Batch.resume()", t -> {
                    Batch batch = t.batch();
                    batch.pause();
                    t.queue.batch(batch.id()).resume();
                }),
                read("Batch.info()", t -> t.queue.batch(t.batch().id()).info()),
                read("JobQueue.batches(long, int)", t -> t.queue.batches(Long.MAX_VALUE, 10)),
                read("Batch.batches(int)", t -> t.queue.batch(t.workflow().id()).batches(10)),
                read("Batch.jobs(long, int)", t -> t.queue.batch(t.batch().id()).jobs(0, 10)),
                change("Batch.cancel()", t -> t.queue.batch(t.batch().id()).cancel()),
                change(
                        "WorkflowBuilder.start()",
                        t -> t.queue
                                .workflow(t.name())
                                .job("first", GREET, "1")
                                .then("second", GREET, "2")
                                .start()),
                read("Workflow.info()", t -> t.queue.workflow(t.workflow().id()).info()),
                read(
                        "Workflow.result(String, TypeToken)",
                        t -> t.queue.workflow(t.workflow().id()).result("first", TypeToken.of(String.class))),
                read(
                        "Workflow.result(String, Class)",
                        t -> t.queue.workflow(t.workflow().id()).result("first", String.class)),
                read(
                        "Workflow.results(String, TypeToken, Consumer)",
                        t -> t.queue
                                .workflow(t.workflow().id())
                                .results("first", TypeToken.of(String.class), each -> {})),
                read(
                        "Workflow.results(String, Class, Consumer)",
                        t -> t.queue.workflow(t.workflow().id()).results("first", String.class, each -> {})),
                change(
                        "Workflow.cancel()",
                        t -> t.queue.workflow(t.workflow().id()).cancel()),
                read("JobQueue.workflows(long, int)", t -> t.queue.workflows(Long.MAX_VALUE, 10)),
                read("JobQueue.workflow(Job)", t -> t.queue.workflow(t.workflowJob())));
    }

    private static List<ApiCall> jobs() {
        return List.of(
                read("JobAdmin.find(long)", t -> t.queue.admin().jobs().find(t.waiting())),
                read(
                        "JobHandle.status()",
                        t -> t.queue.handle(t.waiting(), String.class).status()),
                read(
                        "JobHandle.result()",
                        t -> t.queue.handle(t.waiting(), String.class).result()),
                read(
                        "JobHandle.await(Duration)",
                        t -> t.queue.handle(t.cancelled(), String.class).await(Duration.ZERO)),
                read(
                        "JobHandle.ahead()",
                        t -> t.queue.handle(t.waiting(), String.class).ahead()),
                read(
                        "JobHandle.startsIn()",
                        t -> t.queue.handle(t.waiting(), String.class).startsIn()),
                read(
                        "RunAdmin.failedAttempts(long, int)",
                        t -> t.queue.admin().runs().failedAttempts(t.waiting(), 10)),
                read("RunAdmin.log(long, int)", t -> t.queue.admin().runs().log(t.waiting(), 10)),
                read(
                        "RunAdmin.assignments(long, int)",
                        t -> t.queue.admin().runs().assignments(t.waiting(), 5)),
                read("RunAdmin.stackTrace(long)", t -> t.queue.admin().runs().stackTrace(t.waiting())),
                read("JobAdmin.result(long)", t -> t.queue.admin().jobs().result(t.waiting())),
                read("JobAdmin.dueAt(long)", t -> t.queue.admin().jobs().dueAt(t.waiting())),
                read("JobAdmin.waitReasons(long)", t -> t.queue.admin().jobs().waitReasons(t.keyed())),
                read("JobAdmin.steps(long)", t -> t.queue.admin().jobs().steps(t.waitingForSignal())),
                change(
                        "RunAdmin.requestStackTrace(long)",
                        t -> t.queue
                                .admin()
                                .runs()
                                .requestStackTrace(t.running().jobId())),
                change("JobAdmin.cancel(long)", t -> t.queue.admin().jobs().cancel(t.waiting())),
                change("cancel one with a key", t -> t.queue.admin().jobs().cancel(t.keyed())),
                change(
                        "cancel one that runs",
                        t -> t.queue.admin().jobs().cancel(t.running().jobId())),
                change("JobAdmin.retry(long)", t -> t.queue.admin().jobs().retry(t.cancelled())),
                change("retry one that waits", t -> t.queue.admin().jobs().retry(t.waiting())),
                change("retry one with a key", t -> t.queue.admin().jobs().retry(t.keyed())),
                change("JobAdmin.retry(long, String)", t -> {
                    long id = t.waitingForSignal();
                    t.queue.admin().jobs().retry(id, "go");
                }),
                change(
                        "JobAdmin.signal(long, String, String)",
                        t -> t.queue.admin().jobs().signal(t.waitingForSignal(), "go", "1")),
                change(
                        "JobQueue.signal(long, Signal, Object)",
                        t -> t.queue.signal(t.waiting(), Signal.of("came", String.class), "x")),
                change(
                        "JobAdmin.edit(long, JobEdit, String)",
                        t -> t.queue
                                .admin()
                                .jobs()
                                .edit(t.waiting(), JobEdit.NOTHING.priority(3).payload("\"y\""), "somebody")),
                change(
                        "edit one with a key",
                        t -> t.queue
                                .admin()
                                .jobs()
                                .edit(
                                        t.keyed(),
                                        JobEdit.NOTHING
                                                .priority(3)
                                                .availableAt(Instant.now().plusSeconds(600)),
                                        "me")));
    }

    /** The filter matches a tag of a single job, so one job changes. */
    private static List<ApiCall> manyJobs() {
        List<ApiCall> calls = new ArrayList<>();
        calls.add(read("JobAdmin.list(JobFilter)", t -> t.queue.admin().jobs().list(JobFilter.ALL.limit(10))));
        calls.add(read("JobAdmin.page(JobFilter)", t -> t.queue.admin().jobs().page(JobFilter.ALL.limit(10))));
        JobChange cancel = new JobChange.Cancel();
        calls.add(read(
                "JobAdmin.count(JobFilter, JobChange, Duration) unlimited",
                t -> t.queue.admin().jobs().count(one(t), cancel, Admin.NO_TIMEOUT)));
        calls.add(read(
                "JobAdmin.countNewest(JobFilter, JobChange, int)",
                t -> t.queue.admin().jobs().countNewest(one(t), cancel, 10)));
        calls.add(read(
                "JobAdmin.count(JobFilter, JobChange, Duration)",
                t -> t.queue.admin().jobs().count(one(t), cancel, Duration.ofSeconds(5))));
        calls.add(change(
                "JobAdmin.changeAll(JobFilter, JobChange, LongConsumer)",
                t -> t.queue.admin().jobs().changeAll(one(t), cancel, done -> {})));
        for (JobChange change : List.of(
                new JobChange.Erase(),
                new JobChange.Prioritize(3),
                new JobChange.Move("elsewhere"),
                new JobChange.Reschedule(Instant.parse("2100-01-01T00:00:00Z")))) {
            String name = "change all: " + change.getClass().getSimpleName();
            calls.add(change(name, t -> t.queue.admin().jobs().changeAll(one(t), change, done -> {})));
        }
        for (JobChange change : List.of(new JobChange.Retry(), new JobChange.Delete())) {
            calls.add(change("change all: " + change.getClass().getSimpleName(), t -> {
                JobFilter one = one(t);
                t.fixture.admin.jobs().changeAll(one, cancel, done -> {});
                t.queue.admin().jobs().changeAll(one.state(JobState.CANCELLED), change, done -> {});
            }));
        }
        calls.add(read(
                "RunAdmin.failures(String, String, int) unlimited",
                t -> t.queue.admin().runs().failures("none", null, Admin.UNLIMITED)));
        calls.add(read(
                "RunAdmin.failures(String, String, int)",
                t -> t.queue.admin().runs().failures(null, null, 10)));
        calls.add(change(
                "RunAdmin.changeFailures(String, JobChange, LongConsumer)",
                t -> t.queue.admin().runs().changeFailures(group(t), new JobChange.Retry(), done -> {})));
        calls.add(change(
                "Maintenance.prune(Retention)",
                t -> t.queue.admin().maintenance().prune(Retention.DEFAULTS)));
        return calls;
    }

    private static JobFilter one(ApiTargets t) {
        String tag = t.name();
        t.fixture.enqueue(later().queue(tag).tags(tag));
        return JobFilter.ALL.queue(tag).tag(tag);
    }

    /** {@return the name of a group of failures} */
    private static String group(ApiTargets t) throws Exception {
        Lease lease = t.running();
        var unused = t.fixture
                .store
                .strategy(Strategy.ROWS)
                .settle(List.of(new dev.pawl.internal.store.Settlement(
                        lease, new dev.pawl.internal.store.Verdict.Discarded("broken", t.name() + " is broken"))));
        return t.fixture.admin.runs().failures(null, null, 1_000).get(0).id();
    }

    private static List<ApiCall> queues() {
        return List.of(
                read(
                        "QueueAdmin.list(int) unlimited",
                        t -> t.queue.admin().queues().list(Admin.UNLIMITED)),
                read("QueueAdmin.list(int)", t -> t.queue.admin().queues().list(100)),
                read(
                        "QueueAdmin.finished(int) unlimited",
                        t -> t.queue.admin().queues().finished(Admin.UNLIMITED)),
                read("QueueAdmin.finished(int)", t -> t.queue.admin().queues().finished(100)),
                new ApiCall(
                        "Maintenance.tables()",
                        EnumSet.allOf(ApiCall.Role.class),
                        t -> t.queue.admin().maintenance().tables()),
                read("QueueAdmin.unattended()", t -> t.queue.admin().queues().unattended()),
                read("RunAdmin.stalled()", t -> t.queue.admin().runs().stalled()),
                read(
                        "QueueAdmin.allPausedSince()",
                        t -> t.queue.admin().queues().allPausedSince()),
                read("QueueAdmin.pausedSince()", t -> t.queue.admin().queues().pausedSince()),
                read("WorkerAdmin.list()", t -> t.queue.admin().workers().list()),
                read("WorkerAdmin.remote()", t -> t.queue.admin().workers().remote()),
                read(
                        "Maintenance.retentions()",
                        t -> t.queue.admin().maintenance().retentions()),
                read(
                        "Maintenance.storedRetention()",
                        t -> t.queue.admin().maintenance().storedRetention()),
                read(
                        "Maintenance.diagnose()",
                        t -> t.queue.admin().maintenance().diagnose()),
                change("QueueAdmin.pause(String)", t -> t.queue.admin().queues().pause(t.name())),
                change("QueueAdmin.resume(String)", t -> {
                    String name = t.name();
                    t.fixture.admin.queues().pause(name);
                    t.queue.admin().queues().resume(name);
                }),
                change("QueueAdmin.pauseAll()", t -> t.queue.admin().queues().pauseAll()),
                change("QueueAdmin.resumeAll()", t -> t.queue.admin().queues().resumeAll()),
                change(
                        "QueueAdmin.setStrategy(String, Strategy)",
                        t -> t.queue.admin().queues().setStrategy(t.name(), Strategy.ROWS)),
                change(
                        "WorkerAdmin.command(long, WorkerCommand)",
                        t -> t.queue.admin().workers().command(t.fixture.worker, WorkerCommand.QUIET)),
                change(
                        "WorkerAdmin.scale(long, int)",
                        t -> t.queue.admin().workers().scale(t.fixture.worker, 1)),
                change(
                        "WorkerAdmin.scaleQueue(String, int)",
                        t -> t.queue.admin().workers().scaleQueue("default", 1)),
                change(
                        "Maintenance.setRetention(RetentionRule)",
                        t -> t.queue
                                .admin()
                                .maintenance()
                                .setRetention(RetentionRule.queue(t.name()).completed(Duration.ofDays(3)))),
                change(
                        "Maintenance.clearStoredRetention()",
                        t -> t.queue.admin().maintenance().clearStoredRetention()),
                change("Maintenance.clearRetention(Subject)", t -> {
                    String name = t.name();
                    t.fixture
                            .admin
                            .maintenance()
                            .setRetention(RetentionRule.queue(name).completed(Duration.ofDays(3)));
                    t.queue.admin().maintenance().clearRetention(Subject.queue(name));
                }));
    }

    private static List<ApiCall> others() {
        return List.of(
                read("Limits.list()", t -> t.queue.limits().list()),
                read("Limits.pausedKeys()", t -> t.queue.limits().pausedKeys()),
                change(
                        "Limits.set(Limit)",
                        t -> t.queue
                                .limits()
                                .set(Limit.queue(t.name()).atOnce(5).rate(10, Duration.ofMinutes(1)))),
                change("Limits.remove(Subject)", t -> t.queue.limits().remove(Subject.queue(t.limited()))),
                change(
                        "Limits.pause(Subject, Duration, String)",
                        t -> t.queue.limits().pause(Subject.queue(t.name()), Duration.ofMinutes(1), "why")),
                change("Limits.resume(Subject)", t -> {
                    String name = t.name();
                    t.fixture.queue.limits().pause(Subject.queue(name), Duration.ofMinutes(1), "why");
                    t.queue.limits().resume(Subject.queue(name));
                }),
                change(
                        "Limits.pause(ConcurrencyKey, Duration, String)",
                        t -> t.queue
                                .limits()
                                .pause(new ConcurrencyKey("default", t.name()), Duration.ofMinutes(1), "why")),
                change("Limits.resume(ConcurrencyKey)", t -> {
                    String key = t.name();
                    t.fixture.queue.limits().pause(new ConcurrencyKey("default", key), Duration.ofMinutes(1), "why");
                    t.queue.limits().resume(new ConcurrencyKey("default", key));
                }),
                read("Schedules.list()", t -> t.queue.schedules().list()),
                read("Schedules.undeclared()", t -> t.queue.schedules().undeclared()),
                read("Schedules.find(String)", t -> t.queue.schedules().find(t.schedule())),
                read("Schedules.ticks(String, int)", t -> t.queue.schedules().ticks(t.schedule(), 10)),
                change(
                        "Schedules.add(Schedule)",
                        t -> t.queue
                                .schedules()
                                .add(Schedule.of(
                                        t.name(), JobType.of("greet", String.class), "x", Recurrence.cron("@yearly")))),
                change(
                        "Schedules.add(String, JobRequest, Recurrence, Missed, Overlap)",
                        t -> t.queue
                                .schedules()
                                .add(t.name(), tick(), Recurrence.cron("@yearly"), Missed.ONCE, Overlap.SKIP)),
                change(
                        "Schedules.add(Connection, String, JobRequest, Recurrence, Missed, Overlap, Instant)",
                        t -> t.transaction(connection -> t.queue
                                .schedules()
                                .add(
                                        connection,
                                        t.name(),
                                        tick(),
                                        Recurrence.cron("@yearly"),
                                        Missed.ONCE,
                                        Overlap.SKIP,
                                        Instant.now().plusSeconds(600)))),
                change("Schedules.runNow(String)", t -> t.queue.schedules().runNow(t.schedule())),
                change("Schedules.pause(String)", t -> t.queue.schedules().pause(t.schedule())),
                change("Schedules.resume(String)", t -> {
                    String name = t.schedule();
                    t.fixture.queue.schedules().pause(name);
                    t.queue.schedules().resume(name);
                }),
                change(
                        "Schedules.change(String, Recurrence)",
                        t -> t.queue.schedules().change(t.schedule(), Recurrence.cron("@monthly"))),
                change("Schedules.remove(String)", t -> t.queue.schedules().remove(t.schedule())),
                read("Slots.list()", t -> t.queue.slots().list()),
                read("Slots.gaps(String, int)", t -> t.queue.slots().gaps(t.series(), 10)),
                change("Slots.free(String, String)", t -> t.queue.slots().free(t.series(), "2")),
                change("Slots.flush(String)", t -> t.queue.slots().flush(t.series())),
                change(
                        "SlotSeries.reserve()",
                        t -> t.queue
                                .slots()
                                .series(t.series())
                                .numbers(1, 1)
                                .reserve()
                                .use()),
                change(
                        "SlotSeries.with(SlotWork)",
                        t -> t.queue.slots().series(t.series()).numbers(1, 1).with(slot -> slot.value())),
                read(
                        "SlotSeries.lastUsed()",
                        t -> t.queue.slots().series(t.series()).numbers(1, 1).lastUsed()),
                change(
                        "SlotSeries.trim(long)",
                        t -> t.queue.slots().series(t.series()).numbers(1, 1).trim(1_000)),
                change(
                        "Leadership.hold(String, String, Duration)",
                        t -> t.queue.unwrap(Leadership.class).hold(t.name(), "me", Duration.ofSeconds(10))),
                change(
                        "Leadership.save(Leader, String)",
                        t -> t.queue.unwrap(Leadership.class).save(t.leader(), "state")),
                change(
                        "Leadership.release(Leader)",
                        t -> t.queue.unwrap(Leadership.class).release(t.leader())),
                change("Series.take(String)", t -> {
                    boolean unused = t.queue.unwrap(Series.class).take(t.name());
                }),
                read("Series.last(Duration)", t -> t.queue.unwrap(Series.class).last(Duration.ofMinutes(5))),
                read(
                        "RemoteRuns.running(Collection, int)",
                        t -> t.queue.unwrap(RemoteRuns.class).running(List.of("greet"), 10)),
                change(
                        "RemoteRuns.renew(RemoteRun, Duration, Duration, Integer)",
                        t -> t.queue
                                .unwrap(RemoteRuns.class)
                                .renew(remote(t), Duration.ofHours(1), Duration.ofHours(2), 5)),
                change(
                        "RemoteRuns.end(RemoteRun, Outcome, List)",
                        t -> t.queue.unwrap(RemoteRuns.class).end(remote(t), Outcome.completed(), List.of("line"))),
                change(
                        "RemoteRuns.fail(RemoteRun, String, List)",
                        t -> t.queue.unwrap(RemoteRuns.class).fail(remote(t), "boom", List.of("line"))),
                change(
                        "RemoteRuns.fail(RemoteRun, String, List, Function)",
                        t -> t.queue
                                .unwrap(RemoteRuns.class)
                                .fail(remote(t), "boom", List.of("line"), kind -> RetryPolicy.DEFAULT)),
                change(
                        "RemoteRuns.withdraw(RemoteRun)",
                        t -> t.queue.unwrap(RemoteRuns.class).withdraw(remote(t))),
                change("a worker that runs all kinds of jobs", ApiCalls::work),
                change(
                        "RemoteRuns.note(long, List)",
                        t -> t.queue
                                .unwrap(RemoteRuns.class)
                                .note(
                                        t.fixture.worker,
                                        List.of(new RemoteWorkerStatus(
                                                "http://worker", null, 1, 0, Set.of("greet"))))));
    }

    /**
     * Writes also the other tables that the engine writes: starts, steps, results, log lines, attempts, concurrency keys, batches,
     * workflows and slots.
     */
    private static void work(ApiTargets t) throws Exception {
        String name = t.name();
        EnqueueOptions here = EnqueueOptions.DEFAULTS.queue(name);
        t.queue.limits().set(Limit.queue(name).atOnce(50).rate(1_000, Duration.ofSeconds(1)));
        SlotSeries series = t.queue.slots().series(name).numbers(1, 1);
        Worker worker = Worker.on(t.queue)
                .queues(name)
                .pollInterval(Duration.ofMillis(50))
                .handle(GREET, (text, run) -> {
                    run.progress(5);
                    run.log("a line");
                    run.step("once", () -> {});
                    if (text.equals("fails") && run.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                    if (text.equals("commits")) {
                        run.transaction(connection -> {});
                    }
                    if (text.equals("slot")) {
                        series.reserve().use();
                    }
                })
                .start();
        try (worker) {
            t.fixture.queue.enqueueAll(GREET, List.of("1", "2", "3"), any -> here);
            for (String text : List.of("fails", "commits", "slot")) {
                t.fixture.queue.enqueue(GREET, text, here.retryFixed(Duration.ofMillis(1)));
            }
            t.fixture.queue.enqueueAll(GREET, List.of("1", "2"), any -> here.key("k"));
            Batch batch = t.fixture.queue.batch(name).open();
            t.fixture.queue.enqueueAll(GREET, List.of("1", "2"), any -> batch.with(here));
            boolean unused = batch.seal();
            Workflow workflow = t.fixture
                    .queue
                    .workflow(name)
                    .job("first", GREET, "1", here)
                    .then("second", GREET, "2", here)
                    .start();
            await().untilAsserted(() -> {
                assertThat(t.fixture.admin.jobs().list(JobFilter.ALL.queue(name)))
                        .allMatch(job -> job.state().isFinished());
                assertThat(workflow.info().orElseThrow()).matches(WorkflowInfo::isDone);
            });
        }
    }

    private static RemoteRun remote(ApiTargets t) throws Exception {
        Lease lease = t.running();
        t.fixture.execute(
                "INSERT INTO pawl_assignment (job_id, lease_token, attempt, worker, assigned_at) SELECT id, lease_token,"
                        + " attempt, 'w', created_at FROM pawl_job WHERE id = " + lease.jobId());
        return new RemoteRun(lease.jobId(), lease.token(), "w");
    }
}
