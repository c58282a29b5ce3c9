package dev.pawl.specification;

import static dev.pawl.specification.Op.enqueue;

import dev.pawl.api.Strategy;
import java.util.List;

/** Programs on which queue and model once differed; all databases run them. The comments say what the model requires. */
final class Seeds {
    /** A job with a concurrency key is not replaced, and stays blocked by its key. */
    private static final Program REPLACED_WITH_A_KEY = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.KEY_X, Opt.UNIQUE),
                    enqueue(Opt.UNIQUE, Opt.REPLACE, Opt.DELAY_2H),
                    Op.Duty.RELEASE_KEYS));

    /** A job that has expired unclaimed no longer has its unique key. */
    private static final Program EXPIRED_WITH_A_UNIQUE_KEY = new Program(
            Strategy.ROWS, List.of(enqueue(Opt.UNIQUE, Opt.EXPIRES_5S), Op.Time.SECONDS_20, enqueue(Opt.UNIQUE)));

    /** A finished job may be retried although another job with its unique key has expired unclaimed. */
    private static final Program RETRIED_BESIDE_AN_EXPIRED_ONE = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE),
                    new Op.One(Op.Person.CANCEL, 0),
                    enqueue(Opt.UNIQUE, Opt.EXPIRES_5S),
                    Op.Time.SECONDS_20,
                    new Op.One(Op.Person.RETRY, 0)));

    /** A job that has expired is not replaced, though it keeps its unique key. */
    private static final Program EXPIRED_AND_KEPT = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE_KEPT, Opt.EXPIRES_5S),
                    Op.Time.SECONDS_20,
                    enqueue(Opt.UNIQUE_KEPT, Opt.REPLACE)));

    /** A user makes a blocked job available, and its run fails: the job waits for its retry. */
    private static final Program OUT_OF_TURN = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.FAIL),
                    Op.Duty.RELEASE_KEYS));

    /** A job that waits for its retry has its unique key again, even if pruning ran during its run, days after the enqueue. */
    private static final Program WAITING_LONG_AGO = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    Op.Time.DAYS_8,
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.Duty.PRUNE,
                    new Op.Ends(0, How.FAIL),
                    enqueue(Opt.UNIQUE_WAITING)));

    /** The database loses the commit of a claim. The outcome of that claim's run does not count for the next claim. */
    private static final Program LOST_CLAIM = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(),
                    new Op.Lost(new Op.Claim("default", Op.Kinds.BOTH, 1)),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.COMPLETE)));

    /**
     * The database loses the commit of the claim that opened a lane, and the program still enqueues to that lane. The new job is not lost.
     */
    private static final Program LOST_LANE =
            new Program(Strategy.LANES, List.of(new Op.Lost(new Op.Claim("default", Op.Kinds.BOTH, 1)), enqueue()));

    /** A time outside the allowed range is refused. */
    private static final Program FORGED_MOMENT = new Program(Strategy.ROWS, List.of(enqueue(Opt.AT_9000)));

    /** Headers that only the library may write do not add a job to a sealed batch. */
    private static final Program FORGED_MEMBER = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH),
                    new Op.ChangeBatch(Op.BatchChange.SEAL, 0),
                    enqueue(Opt.FORGED_MEMBER)));

    /** With a unique key that is taken only while its job waits, one job may wait while any number run. */
    private static final Program TWO_RUN = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    enqueue(Opt.UNIQUE_WAITING),
                    new Op.Claim("default", Op.Kinds.BOTH, 1)));

    /** A job is rescued from its second run. */
    private static final Program RESCUED_TWICE = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.Duty.CRASH,
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.Duty.CRASH));

    /** Many jobs of a kind that this worker does not handle are ahead of the one that it claims. */
    private static final Program BEHIND_OTHERS = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("default", Op.Kinds.ONLY_B, 1),
                    new Op.EnqueueMany(150),
                    enqueue(Opt.KIND_B),
                    new Op.Claim("default", Op.Kinds.ONLY_B, 1)));

    /** A job that waits for a signal counts as started: its unique key, taken only until the start, is free. */
    private static final Program WAITS_FOR_A_SIGNAL = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new StepOps.Take(0, StepOps.Takes.AWAIT_GO),
                    enqueue(Opt.UNIQUE_WAITING)));

    /** The transaction that used a slot is rolled back, and the owner clears the slot. */
    private static final Program SLOT_USED_IN_VAIN = new Program(
            Strategy.LANES,
            List.of(
                    new SlotOps.Reserve("numbers"),
                    new Op.Transaction(Op.End.ROLLBACK, List.of(new SlotOps.Change(SlotOps.Does.USE, 0))),
                    new SlotOps.Change(SlotOps.Does.CLEAR, 0),
                    new SlotOps.Reserve("numbers")));

    /** A user makes a pending job of a workflow available. Afterwards its dependency is cancelled, but the job still runs. */
    private static final Program RUN_BEFORE_ITS_TURN = new Program(
            Strategy.LANES,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN_OF_ONE_TRY),
                    new Op.One(Op.Person.RETRY, 1),
                    new Op.One(Op.Person.CANCEL, 0),
                    Op.Duty.TIDY,
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.COMPLETE),
                    Op.Duty.TIDY));

    /** A user makes a pending job available after its dependency is cancelled, but before a worker cancels the job. The job still runs. */
    private static final Program RUN_WHILE_DOOMED = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.One(Op.Person.CANCEL, 0),
                    new Op.One(Op.Person.RETRY, 1),
                    Op.Duty.TIDY,
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.COMPLETE),
                    Op.Duty.TIDY));

    /** A job that was cancelled with its dependency is retried: it is pending until the dependency has completed. */
    private static final Program RETRIED_WHEN_DOOMED = new Program(
            Strategy.LANES,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN_OF_ONE_TRY),
                    new Op.One(Op.Person.CANCEL, 0),
                    Op.Duty.TIDY,
                    new Op.One(Op.Person.RETRY, 1),
                    Op.Duty.TIDY,
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.COMPLETE),
                    new Op.Claim("default", Op.Kinds.BOTH, 1)));

    /** A paused job with a concurrency key is moved, and takes its position among the jobs of its key in the new queue. */
    private static final Program MOVED_WHILE_PAUSED = new Program(
            Strategy.LANES,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    Op.Duty.RELEASE_KEYS,
                    new Op.ChangeBatch(Op.BatchChange.PAUSE, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 5),
                    new Op.ChangeAll(Which.ALL, Change.MOVE_TO_B),
                    Op.Duty.RELEASE_KEYS,
                    new Op.Claim("b", Op.Kinds.BOTH, 5),
                    new Op.ChangeBatch(Op.BatchChange.RESUME, 0),
                    Op.Duty.RELEASE_KEYS,
                    new Op.Claim("b", Op.Kinds.BOTH, 5)));

    /** A blocked job that a user made available is paused and then moved. Other jobs of its key do not wait for it in the new queue. */
    private static final Program MOVED_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.ChangeBatch(Op.BatchChange.PAUSE, 0),
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.Claim("default", Op.Kinds.BOTH, 5),
                    new Op.ChangeAll(Which.ALL, Change.MOVE_TO_B)));

    /** A user makes a blocked job available, it is paused with its batch, and then the first job of its key is released. */
    private static final Program PAUSED_OUT_OF_TURN = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 1),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS)));

    /** A user makes a blocked job available, and its run fails: a retry of all jobs includes it, because it waits for its retry. */
    private static final Program RETRIED_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.FAIL),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** The waiting jobs of an inner batch are cancelled when the outer batch is stopped. */
    private static final Program WITHIN_A_STOPPED_BATCH = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(false, true),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    new Op.OpenBatch(false, false, true),
                    enqueue(Opt.IN_BATCH, Opt.KIND_B),
                    new Op.Claim("default", Op.Kinds.ONLY_A, 2),
                    new Op.Ends(0, How.DISCARD),
                    new Op.Ends(0, How.DISCARD),
                    Op.Duty.TIDY));

    /** One of five jobs has failed, which is too few to stop the batch, also while the other jobs are being cancelled. */
    private static final Program CANCELLED_TOGETHER = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(false, true),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.DISCARD),
                    new Op.ChangeBatch(Op.BatchChange.CANCEL, 0)));

    /** A paused job with a concurrency key makes room for other jobs of its key, if several may run at once. */
    private static final Program ROOM_OF_A_PAUSED_ONE = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.KeysAtOnce("default", 2),
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    Op.Duty.RELEASE_KEYS,
                    enqueue(Opt.KEY_X),
                    enqueue(Opt.KEY_X),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS),
                    Op.Duty.RELEASE_KEYS));

    /** A blocked job that a user made available also makes room for other jobs of its key when it is paused. */
    private static final Program ROOM_OF_A_PAUSED_ONE_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.KeysAtOnce("default", 2),
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS)));

    /**
     * A cancelled job of a workflow is retried while its key is paused. It is pending, because it waits for another node, and not blocked
     * by its key.
     */
    private static final Program PENDING_WITH_A_PAUSED_KEY = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.PauseKey("default", "x"),
                    new Op.One(Op.Person.CANCEL, 1),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** The last job of a schedule is blocked by its key, so it counts as not ended. */
    private static final Program SCHEDULED_AND_BLOCKED = new Program(
            Strategy.ROWS,
            List.of(
                    new ScheduleOps.Add(
                            "t", ScheduleOps.When.AFTER_10S, ScheduleOps.Policy.ONCE_SKIP, List.of(Opt.KEY_X)),
                    new ScheduleOps.ProcessTicks(),
                    Op.Duty.CRASH,
                    new ScheduleOps.ProcessTicks()));

    /** Of two finished jobs with the same unique key, a retry of all jobs revives the newer one. */
    private static final Program RETRIED_WITH_THE_SAME_KEY = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE),
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    enqueue(Opt.UNIQUE),
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** A cancelled job is retried after pruning: while it waits it has its unique key again. */
    private static final Program REVIVED_AFTER_PRUNING = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    Op.Time.DAYS_8,
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    Op.Duty.PRUNE,
                    new Op.One(Op.Person.RETRY, 0),
                    enqueue(Opt.UNIQUE_WAITING)));

    /** The first job of a batch with a canary is paused with its batch, and resumed with it. The other job still waits for it. */
    private static final Program FIRST_JOB_PAUSED = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.OpenBatch(true, false, false, 1),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS),
                    new Op.Claim("default", Op.Kinds.BOTH, 5),
                    new Op.Ends(0, How.COMPLETE),
                    Op.Duty.TIDY));

    /** A cancelled job of an inner batch is retried, and the outer batch, which was stopped, continues. */
    private static final Program RETRIED_WITHIN_A_STOPPED_BATCH = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false, false, 1),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    new Op.OpenBatch(true, false, true),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.ChangeBatch(Op.BatchChange.CANCEL, 0),
                    new Op.One(Op.Person.RETRY, 2),
                    Op.Duty.TIDY));

    /** The callback of an inner batch is cancelled with the outer batch, which its own first jobs have stopped. */
    private static final Program CALLBACK_OF_A_CANCELLED_BATCH = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.OpenBatch(true, false, false, 1),
                    enqueue(Opt.IN_BATCH),
                    new Op.OpenBatch(true, false, true),
                    enqueue(Opt.IN_BATCH),
                    new Op.ChangeBatch(Op.BatchChange.SEAL, 1),
                    new Op.ChangeBatch(Op.BatchChange.CANCEL, 0)));

    /** A job is added to a batch after the waiting jobs of the stopped batch were cancelled. It is cancelled, too. */
    private static final Program ADDED_TO_A_STOPPED_BATCH = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.OpenBatch(true, false, false, 1),
                    enqueue(Opt.IN_BATCH),
                    enqueue(Opt.IN_BATCH),
                    new Op.ChangeBatch(Op.BatchChange.CANCEL, 0),
                    Op.Duty.TIDY,
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    Op.Duty.TIDY));

    /** A paused job has made room for others of its key. When only one job of the key may run at once, this room stays. */
    private static final Program ROOM_AFTER_A_LIMIT = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    Op.Duty.RELEASE_KEYS,
                    new Op.KeysAtOnce("default", 2),
                    new Op.ChangeBatch(Op.BatchChange.PAUSE, 0),
                    new WhilePaused(1, new Op.PauseKey("default", "x")),
                    Op.Time.MINUTES_2,
                    new Op.KeysAtOnce("default", 0),
                    Op.Duty.RELEASE_KEYS));

    /** A remote run fails after a user has cancelled the job. The remote worker is told that the job is cancelled. */
    private static final Program CANCELLED_REMOTE_RUN = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(),
                    new Op.Claim("default", Op.Kinds.BOTH, 5),
                    new RemoteOps.HandOff(0),
                    new Op.One(Op.Person.CANCEL, 0),
                    new RemoteOps.Change(RemoteOps.Does.FAIL, 0, false)));

    static final List<Program> ALL = List.of(
            ROOM_AFTER_A_LIMIT,
            CANCELLED_REMOTE_RUN,
            FIRST_JOB_PAUSED,
            RETRIED_WITHIN_A_STOPPED_BATCH,
            ADDED_TO_A_STOPPED_BATCH,
            CALLBACK_OF_A_CANCELLED_BATCH,
            RETRIED_WITH_THE_SAME_KEY,
            REVIVED_AFTER_PRUNING,
            SCHEDULED_AND_BLOCKED,
            PENDING_WITH_A_PAUSED_KEY,
            WITHIN_A_STOPPED_BATCH,
            CANCELLED_TOGETHER,
            ROOM_OF_A_PAUSED_ONE_OUT_OF_TURN,
            ROOM_OF_A_PAUSED_ONE,
            MOVED_WHILE_PAUSED,
            MOVED_OUT_OF_TURN,
            PAUSED_OUT_OF_TURN,
            RUN_BEFORE_ITS_TURN,
            RUN_WHILE_DOOMED,
            RETRIED_WHEN_DOOMED,
            RETRIED_OUT_OF_TURN,
            SLOT_USED_IN_VAIN,
            WAITS_FOR_A_SIGNAL,
            REPLACED_WITH_A_KEY,
            EXPIRED_WITH_A_UNIQUE_KEY,
            RETRIED_BESIDE_AN_EXPIRED_ONE,
            EXPIRED_AND_KEPT,
            OUT_OF_TURN,
            WAITING_LONG_AGO,
            LOST_CLAIM,
            LOST_LANE,
            FORGED_MOMENT,
            FORGED_MEMBER,
            TWO_RUN,
            RESCUED_TWICE,
            BEHIND_OTHERS);

    private Seeds() {}
}
