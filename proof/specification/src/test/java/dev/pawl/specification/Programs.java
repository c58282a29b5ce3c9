package dev.pawl.specification;

import dev.pawl.specification.Op.InTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generates random programs, which combine everything that may happen to a queue. */
public final class Programs {
    private Programs() {}

    /** The focus of a program. Some operations rarely occur together in a general program, but often in a program that focuses on them. */
    public enum Theme {
        ANYTHING,
        LIMITS,
        STEPS,
        SCHEDULES,
        BATCHES,
        /** Paused concurrency keys, and what people do to their jobs. */
        KEYS,
        /** Unique keys of jobs that end, expire, are retried and pruned. */
        UNIQUE;

        /** {@return the theme of a seed: two of five programs have no focus} */
        static Theme of(long seed) {
            int place = (int) Math.floorMod(seed / 2, 10L);
            return place < 4 ? ANYTHING : values()[place - 3];
        }

        /** {@return whether it focuses on {@link #plain} steps, and draws few of {@link #features}} */
        private boolean isPlain() {
            return this == ANYTHING || this == KEYS || this == UNIQUE;
        }

        private int weight(Theme theme, int focused, int otherwise) {
            return this == theme ? focused : otherwise;
        }
    }

    public static Arbitrary<Op> step(Theme theme) {
        return Arbitraries.frequencyOf(
                Tuple.of(theme.isPlain() ? 80 : theme == Theme.BATCHES ? 15 : 50, plain(theme)),
                Tuple.of(theme.isPlain() ? 13 : 40, features(theme)),
                Tuple.of(4, Arbitraries.of(WorkerStep.class).map(each -> (Op) each)),
                Tuple.of(4, Arbitraries.of(ReleaseStep.class).map(each -> (Op) each)),
                Tuple.of(theme.weight(Theme.BATCHES, 1, 2), CommandPrograms.command()),
                Tuple.of(
                        2,
                        Combinators.combine(Arbitraries.integers().between(0, 3), Arbitraries.oneOf(claim(), end()))
                                .as(CompleteAround::new)));
    }

    /** Steps whose database calls may be made to fail. */
    public static Arbitrary<Op> plain(Theme theme) {
        return Arbitraries.frequencyOf(
                Tuple.of(theme.weight(Theme.UNIQUE, 24, 12), enqueue(theme).map(each -> each)),
                Tuple.of(3, transaction(theme)),
                Tuple.of(2, openBatch().map(each -> each)),
                Tuple.of(2, startWorkflow()),
                Tuple.of(
                        1,
                        Combinators.combine(Arbitraries.integers().between(0, 3), options(theme))
                                .as(Op.Add::new)),
                Tuple.of(4, changeBatch()),
                Tuple.of(theme.weight(Theme.LIMITS, 16, 9), claim()),
                Tuple.of(9, end()),
                Tuple.of(
                        2,
                        Arbitraries.oneOf(claim(), end(), enqueue(theme).map(each -> (Op) each))
                                .map(Op.Lost::new)),
                Tuple.of(1, Arbitraries.of(3, 3, 3, 3, 3, 30, 150).map(Op.EnqueueMany::new)),
                Tuple.of(2, Arbitraries.just(new Op.CompleteAll())),
                Tuple.of(1, Arbitraries.integers().between(0, 3).map(Op.Renew::new)),
                Tuple.of(
                        7,
                        Arbitraries.frequency(
                                        Tuple.of(5, Op.Duty.RELEASE_KEYS),
                                        Tuple.of(2, Op.Duty.RESCUE),
                                        Tuple.of(4, Op.Duty.CRASH),
                                        Tuple.of(1, Op.Duty.TIDY),
                                        Tuple.of(1, Op.Duty.PRUNE))
                                .map(each -> (Op) each)),
                Tuple.of(
                        6,
                        Arbitraries.frequency(
                                        Tuple.of(4, Op.Time.SECONDS_2),
                                        Tuple.of(4, Op.Time.SECONDS_20),
                                        Tuple.of(3, Op.Time.MINUTES_2),
                                        Tuple.of(2, Op.Time.HOURS_3),
                                        Tuple.of(1, Op.Time.DAYS_8))
                                .map(each -> (Op) each)),
                Tuple.of(6, changeOne()),
                Tuple.of(4, changeAll()),
                Tuple.of(
                        1,
                        Combinators.combine(queue(), Arbitraries.of(true, false))
                                .as(Op.Pause::new)),
                Tuple.of(
                        1,
                        Combinators.combine(queue(), Arbitraries.of("x", "y")).as(Op.PauseKey::new)),
                Tuple.of(
                        1,
                        Combinators.combine(queue(), Arbitraries.of("x", "y")).as(Op.ResumeKey::new)),
                Tuple.of(
                        1,
                        Combinators.combine(queue(), Arbitraries.integers().between(0, 3))
                                .as(Op.KeysAtOnce::new)),
                Tuple.of(theme.weight(Theme.KEYS, 80, 0), keySteps()),
                Tuple.of(theme.weight(Theme.UNIQUE, 80, 0), uniqueSteps()));
    }

    /** Enqueues a job with one of these options, and with one other option or none. */
    private static Arbitrary<Op> enqueueWith(Opt... options) {
        Arbitrary<Opt> other = Arbitraries.of(
                Opt.KIND_B, Opt.DELAY_10S, Opt.ONE_ATTEMPT, Opt.EXPIRES_5S, Opt.EXPIRES_5S, Opt.IN_BATCH, Opt.REPLACE);
        return Combinators.combine(Arbitraries.of(options), other.list().ofMaxSize(1))
                .as((first, more) -> new Op.Enqueue(
                        Stream.concat(Stream.of(first), more.stream()).toList()));
    }

    /** Pauses of the key x, and failures and changes of its jobs. */
    private static Arbitrary<Op> keySteps() {
        return Arbitraries.frequencyOf(
                Tuple.of(4, enqueueWith(Opt.KEY_X)),
                Tuple.of(2, Arbitraries.just(new Op.StartWorkflow(Shape.WITH_KEYS))),
                Tuple.of(4, Arbitraries.just(new Op.PauseKey("default", "x"))),
                Tuple.of(
                        5,
                        Combinators.combine(
                                        Arbitraries.of(Which.ALL, Which.WITH_KEY_X),
                                        Arbitraries.frequency(
                                                Tuple.of(5, Change.RETRY),
                                                Tuple.of(1, Change.CANCEL),
                                                Tuple.of(1, Change.PRIORITIZE),
                                                Tuple.of(1, Change.MOVE_TO_B)))
                                .as(Op.ChangeAll::new)),
                Tuple.of(
                        4,
                        Combinators.combine(
                                        Arbitraries.integers().between(0, 3),
                                        Arbitraries.of(
                                                How.FAIL, How.RETRY_AFTER_20S, How.SNOOZE_20S, How.KEY_UNAVAILABLE_1M))
                                .as(Op.Ends::new)),
                Tuple.of(3, Arbitraries.just(new Op.Claim("default", Op.Kinds.BOTH, 5))),
                Tuple.of(5, Arbitraries.just(Op.Duty.RELEASE_KEYS)));
    }

    /** Enqueues of jobs with unique keys, and steps that end, retry or prune the first jobs. */
    private static Arbitrary<Op> uniqueSteps() {
        return Arbitraries.frequencyOf(
                Tuple.of(
                        8,
                        enqueueWith(
                                Opt.UNIQUE,
                                Opt.UNIQUE,
                                Opt.UNIQUE_WAITING,
                                Opt.UNIQUE_DISCARDED,
                                Opt.UNIQUE_KEPT,
                                Opt.UNIQUE_1M,
                                Opt.UNIQUE_20D)),
                Tuple.of(
                        4,
                        Arbitraries.of(Change.RETRY, Change.RETRY, Change.RETRY, Change.CANCEL)
                                .map(change -> new Op.ChangeAll(Which.ALL, change))),
                Tuple.of(
                        6,
                        Combinators.combine(
                                        Arbitraries.of(Op.Person.CANCEL, Op.Person.RETRY),
                                        Arbitraries.integers().between(0, 3))
                                .as(Op.One::new)),
                Tuple.of(
                        4,
                        Combinators.combine(
                                        Arbitraries.of(RetentionOp.About.class),
                                        Arbitraries.of(RetentionOp.Keeps.COMPLETED_NOT, RetentionOp.Keeps.AS_ALL))
                                .as(RetentionOp::new)),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        Arbitraries.integers().between(0, 3), Arbitraries.of(How.COMPLETE, How.DISCARD))
                                .as(Op.Ends::new)),
                Tuple.of(2, Arbitraries.just(new Op.Claim("default", Op.Kinds.BOTH, 5))),
                Tuple.of(4, Arbitraries.just(Op.Duty.PRUNE)),
                Tuple.of(5, Arbitraries.just(Op.Time.SECONDS_20)),
                Tuple.of(1, Arbitraries.just(Op.Time.DAYS_8)));
    }

    /** Features beyond plain jobs, and what operators do with them. */
    public static Arbitrary<Op> features(Theme theme) {
        List<Tuple.Tuple2<Integer, Arbitrary<Op>>> all = breakable(theme);
        all.add(Tuple.of(theme.weight(Theme.LIMITS, 6, 2), byOther(theme)));
        all.add(Tuple.of(
                theme.weight(Theme.BATCHES, 5, 1),
                Arbitraries.integers().between(0, 3).map(Op.CancelWorkflow::new)));
        all.add(Tuple.of(theme.weight(Theme.BATCHES, 20, 1), whilePaused()));
        all.add(Tuple.of(theme.weight(Theme.STEPS, 24, 8), remote()));
        return Arbitraries.frequencyOf(all);
    }

    /** Features whose database calls may also be made to fail. */
    public static List<Tuple.Tuple2<Integer, Arbitrary<Op>>> breakable(Theme theme) {
        List<Tuple.Tuple2<Integer, Arbitrary<Op>>> all = new ArrayList<>();
        all.add(Tuple.of(
                theme.weight(Theme.LIMITS, 12, 1),
                Combinators.combine(Arbitraries.of(LimitOp.Does.class), Arbitraries.of(LimitOp.About.class))
                        .as(LimitOp::new)));
        all.add(Tuple.of(
                theme.weight(Theme.STEPS, 14, 2),
                Combinators.combine(Arbitraries.integers().between(0, 3), Arbitraries.of(StepOps.Takes.class))
                        .as(StepOps.Take::new)));
        all.add(Tuple.of(
                theme.weight(Theme.STEPS, 4, 1),
                Arbitraries.integers().between(0, 5).map(StepOps.SendSignal::new)));
        all.add(Tuple.of(
                theme.weight(Theme.STEPS, 2, 1),
                Combinators.combine(Arbitraries.integers().between(0, 5), Arbitraries.of(StepOps.Takes.class))
                        .as(StepOps.RetryFrom::new)));
        all.add(Tuple.of(theme.weight(Theme.SCHEDULES, 24, 1), schedule()));
        all.add(Tuple.of(theme.weight(Theme.SCHEDULES, 8, 1), slot()));
        all.add(Tuple.of(theme.weight(Theme.BATCHES, 100, 1), batch()));
        all.add(Tuple.of(1, bySql().map(each -> each)));
        all.add(Tuple.of(1, options(theme).map(EnqueueMerged::new)));
        all.add(Tuple.of(
                1,
                Combinators.combine(Arbitraries.of(RetentionOp.About.class), Arbitraries.of(RetentionOp.Keeps.class))
                        .as(RetentionOp::new)));
        all.add(Tuple.of(1, Arbitraries.of(true, false, false).map(PauseAll::new)));
        return all;
    }

    /**
     * {@return whether a step can be repeated after a failover} Steps on a caller's connection cannot, because the caller must replace the
     * connection. Steps of a handler need not, because the worker repeats their writes. Checks of schedules need not, because the next
     * check does what failed.
     */
    public static boolean canBeTriedAgain(Op step) {
        return !(step instanceof Op.Transaction
                || step instanceof EnqueueBySql
                || step instanceof StepOps.Take
                || step instanceof ScheduleOps.ProcessTicks);
    }

    static Arbitrary<String> queue() {
        return Arbitraries.of("default", "default", "b");
    }

    private static Arbitrary<InTransaction> enqueue(Theme theme) {
        return options(theme).map(Op.Enqueue::new);
    }

    private static Arbitrary<InTransaction> openBatch() {
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Arbitraries.of(false, true),
                        Arbitraries.of(false, false, true),
                        Arbitraries.of(0, 0, 0, 1, 2))
                .as(Op.OpenBatch::new);
    }

    private static Arbitrary<Op> changeOne() {
        return Combinators.combine(
                        Arbitraries.of(Op.Person.class), Arbitraries.integers().between(0, 9))
                .as(Op.One::new);
    }

    private static Arbitrary<Op> changeAll() {
        return Combinators.combine(Arbitraries.of(Which.class), Arbitraries.of(Change.class))
                .as(Op.ChangeAll::new);
    }

    private static Arbitrary<Op> startWorkflow() {
        return Arbitraries.of(Shape.class).map(Op.StartWorkflow::new);
    }

    private static Arbitrary<Op> changeBatch() {
        return Combinators.combine(
                        Arbitraries.of(Op.BatchChange.class),
                        Arbitraries.integers().between(0, 3))
                .as(Op.ChangeBatch::new);
    }

    /** Few batches and workflows, whose jobs often have the same key, and steps with these jobs while a batch is paused or stopped. */
    private static Arbitrary<Op> batch() {
        return Arbitraries.frequencyOf(
                Tuple.of(3, filledBatch(openBatch(), enqueueToBatch())),
                Tuple.of(2, canaryBatch()),
                Tuple.of(2, startWorkflow()),
                Tuple.of(3, enqueueToBatch().map(each -> each)),
                Tuple.of(5, changeBatch()),
                Tuple.of(6, Arbitraries.just(new Op.Claim("default", Op.Kinds.BOTH, 5))),
                Tuple.of(
                        10,
                        Combinators.combine(
                                        Arbitraries.integers().between(0, 2),
                                        Arbitraries.of(How.COMPLETE, How.COMPLETE, How.DISCARD, How.DISCARD, How.FAIL))
                                .as(Op.Ends::new)),
                Tuple.of(
                        5,
                        Arbitraries.frequency(Tuple.of(3, Op.Duty.RELEASE_KEYS), Tuple.of(2, Op.Duty.TIDY))
                                .map(each -> each)),
                Tuple.of(
                        3,
                        Combinators.combine(
                                        Arbitraries.of(Op.Person.RETRY, Op.Person.CANCEL),
                                        Arbitraries.integers().between(0, 5))
                                .as(Op.One::new)),
                Tuple.of(2, Arbitraries.just(new Op.ChangeAll(Which.DISCARDED, Change.RETRY))),
                Tuple.of(
                        1,
                        Arbitraries.of(new Op.PauseKey("default", "x"), new Op.ResumeKey("default", "x"))
                                .map(each -> each)),
                Tuple.of(3, Arbitraries.of(0, 2, 3).map(most -> new Op.KeysAtOnce("default", most))));
    }

    private static Arbitrary<InTransaction> enqueueToBatch() {
        return Arbitraries.of(Opt.KEY_X, Opt.KEY_X, Opt.KEY_X, Opt.ONE_ATTEMPT, Opt.DELAY_10S, Opt.FIRST)
                .list()
                .ofMinSize(1)
                .ofMaxSize(2)
                .map(some -> new Op.Enqueue(
                        Stream.concat(Stream.of(Opt.IN_BATCH), some.stream()).toList()));
    }

    /** A batch that is opened and filled in one transaction. */
    private static Arbitrary<Op> filledBatch(Arbitrary<InTransaction> open, Arbitrary<InTransaction> job) {
        return Combinators.combine(open, job.list().ofMinSize(2).ofMaxSize(4))
                .as((first, jobs) -> new Op.Transaction(
                        Op.End.COMMIT,
                        Stream.concat(Stream.of(first), jobs.stream()).toList()));
    }

    /** A batch whose jobs, without delays and keys, wait for the first ones. */
    private static Arbitrary<Op> canaryBatch() {
        Arbitrary<InTransaction> open = Combinators.combine(
                        Arbitraries.of(true, false), Arbitraries.of(false, true), Arbitraries.of(false, false, true))
                .as((callbacks, stops, inner) -> new Op.OpenBatch(callbacks, stops, inner, 1));
        Arbitrary<InTransaction> job = Arbitraries.of(Opt.ONE_ATTEMPT, Opt.FIRST, Opt.UNIQUE, Opt.EXPIRES_5S)
                .list()
                .ofMaxSize(1)
                .map(some -> new Op.Enqueue(
                        Stream.concat(Stream.of(Opt.IN_BATCH), some.stream()).toList()));
        return filledBatch(open, job);
    }

    /** Runs that are handed off, and what their remote workers do. */
    private static Arbitrary<Op> remote() {
        Arbitrary<Op> change = Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(6, RemoteOps.Does.RENEW),
                                Tuple.of(2, RemoteOps.Does.WITHDRAW),
                                Tuple.of(2, RemoteOps.Does.COMPLETE),
                                Tuple.of(2, RemoteOps.Does.FAIL),
                                Tuple.of(1, RemoteOps.Does.RETRY_AFTER_20S),
                                Tuple.of(1, RemoteOps.Does.SNOOZE_20S),
                                Tuple.of(1, RemoteOps.Does.KEY_UNAVAILABLE_1M),
                                Tuple.of(1, RemoteOps.Does.CANCEL),
                                Tuple.of(1, RemoteOps.Does.DISCARD)),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of(false, false, true))
                .as(RemoteOps.Change::new);
        return Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.integers().between(0, 2).map(RemoteOps.HandOff::new)),
                Tuple.of(6, change),
                Tuple.of(1, change.map(ByOther::new)),
                Tuple.of(1, change.map(Op.Lost::new)));
    }

    private static Arbitrary<Op> whilePaused() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.frequencyOf(
                                Tuple.of(2, Arbitraries.just(new Op.PauseKey("default", "x"))),
                                Tuple.of(3, Arbitraries.just(Op.Duty.RELEASE_KEYS)),
                                Tuple.of(1, changeOne()),
                                Tuple.of(1, changeAll()),
                                Tuple.of(1, claim())))
                .as(WhilePaused::new);
    }

    static Arbitrary<List<Opt>> options() {
        return options(Theme.ANYTHING);
    }

    private static Arbitrary<List<Opt>> options(Theme theme) {
        int keyWeight = theme.weight(Theme.KEYS, 5, 1);
        int uniqueWeight = theme.weight(Theme.UNIQUE, 3, 1);
        return Arbitraries.frequency(
                        Tuple.of(2, Opt.KIND_B),
                        Tuple.of(3, Opt.QUEUE_B),
                        Tuple.of(1, Opt.FIRST),
                        Tuple.of(1, Opt.LAST),
                        Tuple.of(2, Opt.DELAY_10S),
                        Tuple.of(1, Opt.DELAY_2H),
                        Tuple.of(1, Opt.ONE_ATTEMPT),
                        Tuple.of(2, Opt.TWO_ATTEMPTS),
                        Tuple.of(1, Opt.RETRY_7S),
                        Tuple.of(1, Opt.TAG),
                        Tuple.of(1, Opt.PAYLOAD_2),
                        Tuple.of(1, Opt.SECRET),
                        Tuple.of(1, Opt.COST_3),
                        Tuple.of(2 * uniqueWeight, Opt.EXPIRES_5S),
                        Tuple.of(2, Opt.EXPIRES_1M),
                        Tuple.of(5 * keyWeight, Opt.KEY_X),
                        Tuple.of(2 * keyWeight, Opt.KEY_Y),
                        Tuple.of(4 * uniqueWeight, Opt.UNIQUE),
                        Tuple.of(4 * uniqueWeight, Opt.UNIQUE_WAITING),
                        Tuple.of(2 * uniqueWeight, Opt.UNIQUE_DISCARDED),
                        Tuple.of(2 * uniqueWeight, Opt.UNIQUE_KEPT),
                        Tuple.of(2 * uniqueWeight, Opt.UNIQUE_1M),
                        Tuple.of(uniqueWeight, Opt.UNIQUE_20D),
                        Tuple.of(8, Opt.IN_BATCH),
                        Tuple.of(1, Opt.AT_8999),
                        Tuple.of(1, Opt.AT_8500),
                        Tuple.of(1, Opt.AT_9000),
                        Tuple.of(1, Opt.FORGED_MEMBER),
                        Tuple.of(4, Opt.REPLACE))
                .list()
                .ofMaxSize(4);
    }

    private static Arbitrary<Op> transaction(Theme theme) {
        return Combinators.combine(
                        Arbitraries.of(Op.End.class),
                        Arbitraries.frequencyOf(
                                        Tuple.of(6, enqueue(theme)),
                                        Tuple.of(1, openBatch()),
                                        Tuple.of(1, changeSlot()),
                                        Tuple.of(1, bySql()))
                                .list()
                                .ofMinSize(1)
                                .ofMaxSize(4))
                .as(Op.Transaction::new);
    }

    /** Steps of another program on the same database. */
    private static Arbitrary<Op> byOther(Theme theme) {
        return Arbitraries.frequencyOf(
                        Tuple.of(4, claim()),
                        Tuple.of(3, enqueue(theme).map(each -> each)),
                        Tuple.of(1, Arbitraries.of(Op.Duty.RELEASE_KEYS, Op.Duty.RESCUE, Op.Duty.TIDY, Op.Duty.PRUNE)),
                        Tuple.of(1, transaction(theme)),
                        Tuple.of(1, Arbitraries.of(Op.BatchChange.class).map(each -> new Op.ChangeBatch(each, 0))))
                .map(ByOther::new);
    }

    private static Arbitrary<Op> schedule() {
        Arbitrary<String> name = Arbitraries.of("s", "s", "t");
        Arbitrary<List<Opt>> options = Arbitraries.of(
                        Opt.QUEUE_B, Opt.KEY_X, Opt.ONE_ATTEMPT, Opt.EXPIRES_5S, Opt.TAG, Opt.LAST, Opt.COST_3)
                .list()
                .ofMaxSize(2);
        return Arbitraries.frequencyOf(
                Tuple.of(
                        3,
                        Combinators.combine(
                                        name,
                                        Arbitraries.of(ScheduleOps.When.class),
                                        Arbitraries.of(ScheduleOps.Policy.class),
                                        options)
                                .as(ScheduleOps.Add::new)),
                Tuple.of(5, Arbitraries.just(new ScheduleOps.ProcessTicks())),
                Tuple.of(
                        2,
                        Combinators.combine(Arbitraries.of(ScheduleOps.Does.class), name)
                                .as(ScheduleOps.Change::new)),
                Tuple.of(
                        1,
                        Combinators.combine(name, Arbitraries.of(ScheduleOps.When.class))
                                .as(ScheduleOps.ChangeTimes::new)));
    }

    private static Arbitrary<Op> slot() {
        Arbitrary<String> series = Arbitraries.of("numbers", "numbers", "gaps");
        return Arbitraries.frequencyOf(
                Tuple.of(5, series.map(SlotOps.Reserve::new)),
                Tuple.of(4, changeSlot().map(each -> each)),
                Tuple.of(1, series.map(SlotOps.Flush::new)));
    }

    private static Arbitrary<InTransaction> changeSlot() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(3, SlotOps.Does.USE),
                                Tuple.of(1, SlotOps.Does.CLEAR),
                                Tuple.of(1, SlotOps.Does.EXTEND),
                                Tuple.of(1, SlotOps.Does.FREE)),
                        Arbitraries.integers().between(0, 3))
                .as(SlotOps.Change::new);
    }

    private static Arbitrary<InTransaction> bySql() {
        return Arbitraries.of(
                        Opt.KIND_B, Opt.QUEUE_B, Opt.FIRST, Opt.LAST, Opt.DELAY_10S, Opt.TWO_ATTEMPTS, Opt.PAYLOAD_2)
                .list()
                .ofMaxSize(3)
                .map(EnqueueBySql::new);
    }

    private static Arbitrary<Op> claim() {
        return Combinators.combine(
                        queue(),
                        Arbitraries.frequency(
                                Tuple.of(4, Op.Kinds.BOTH), Tuple.of(1, Op.Kinds.ONLY_A), Tuple.of(1, Op.Kinds.ONLY_B)),
                        Arbitraries.of(1, 2, 5))
                .as(Op.Claim::new);
    }

    private static Arbitrary<Op> end() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 4),
                        Arbitraries.frequency(
                                Tuple.of(5, How.COMPLETE),
                                Tuple.of(2, How.COMPLETE_IN_TRANSACTION),
                                Tuple.of(1, How.COMPLETE_WITH_7),
                                Tuple.of(4, How.FAIL),
                                Tuple.of(1, How.UNREADABLE),
                                Tuple.of(2, How.RETRY_AFTER_20S),
                                Tuple.of(1, How.SNOOZE_0),
                                Tuple.of(1, How.KEY_UNAVAILABLE_1M),
                                Tuple.of(1, How.UNAVAILABLE_30S),
                                Tuple.of(2, How.SNOOZE_20S),
                                Tuple.of(1, How.CANCEL),
                                Tuple.of(2, How.DISCARD),
                                Tuple.of(2, How.RELEASE)))
                .as(Op.Ends::new);
    }
}
