package dev.pawl.specification;

import static dev.pawl.specification.Op.enqueue;

import dev.pawl.api.Strategy;
import java.util.List;

/** Programs that once did other than the model says; all databases run them. */
final class Seeds {
    /** A job with a key, replaced by an enqueue without it, stays in the line of its key. */
    private static final Program REPLACED_WITH_A_KEY = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.KEY_X, Opt.UNIQUE),
                    enqueue(Opt.UNIQUE, Opt.REPLACE, Opt.DELAY_2H),
                    Op.Duty.RELEASE_KEYS));

    /** A job that has expired unclaimed keeps its unique key. */
    private static final Program EXPIRED_WITH_A_UNIQUE_KEY = new Program(
            Strategy.ROWS, List.of(enqueue(Opt.UNIQUE, Opt.EXPIRES_5S), Op.Time.SECONDS_20, enqueue(Opt.UNIQUE)));

    /** A job has ended and is run again; another one of its key has expired unclaimed. */
    private static final Program RETRIED_BESIDE_AN_EXPIRED_ONE = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE),
                    new Op.One(Op.Person.CANCEL, 0),
                    enqueue(Opt.UNIQUE, Opt.EXPIRES_5S),
                    Op.Time.SECONDS_20,
                    new Op.One(Op.Person.RETRY, 0)));

    /** A job that has expired is replaced, because its unique key stays taken. */
    private static final Program EXPIRED_AND_KEPT = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE_KEPT, Opt.EXPIRES_5S),
                    Op.Time.SECONDS_20,
                    enqueue(Opt.UNIQUE_KEPT, Opt.REPLACE)));

    /** A person runs a job before its turn, and its run fails: its wait is forgotten. */
    private static final Program OUT_OF_TURN = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.FAIL),
                    Op.Duty.RELEASE_KEYS));

    /** A pruning during a run, a day after the enqueue, frees the key of a job that waits again afterwards. */
    private static final Program WAITING_LONG_AGO = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    Op.Time.DAYS_8,
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.Duty.PRUNE,
                    new Op.Ends(0, How.FAIL),
                    enqueue(Opt.UNIQUE_WAITING)));

    /** A claim is lost with its commit; the outcome of its run counts for the next claim, which has the same token. */
    private static final Program LOST_CLAIM = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(),
                    new Op.Lost(new Op.Claim("default", Op.Kinds.BOTH, 1)),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.COMPLETE)));

    /** The claim that has opened a lane is lost with its commit; its program goes on writing to that lane. */
    private static final Program LOST_LANE =
            new Program(Strategy.LANES, List.of(new Op.Lost(new Op.Claim("default", Op.Kinds.BOTH, 1)), enqueue()));

    /** A moment that the queue uses itself. */
    private static final Program FORGED_MOMENT = new Program(Strategy.ROWS, List.of(enqueue(Opt.AT_9000)));

    /** A job in a sealed batch, from outside. */
    private static final Program FORGED_MEMBER = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH),
                    new Op.ChangeBatch(Op.BatchChange.SEAL, 0),
                    enqueue(Opt.FORGED_MEMBER)));

    /** Of a key that is taken while its job waits, one waits, and any number run. */
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

    /** Jobs of a kind that this worker does not handle lie in front. */
    private static final Program BEHIND_OTHERS = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("default", Op.Kinds.ONLY_B, 1),
                    new Op.EnqueueMany(150),
                    enqueue(Opt.KIND_B),
                    new Op.Claim("default", Op.Kinds.ONLY_B, 1)));

    /** A job that waits for a signal has begun for good: its unique key, taken while it waits, is free. */
    private static final Program WAITS_FOR_A_SIGNAL = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new StepOps.Take(0, StepOps.Takes.AWAIT_GO),
                    enqueue(Opt.UNIQUE_WAITING)));

    /** What has used a slot is rolled back, and its owner gives it back. */
    private static final Program SLOT_USED_IN_VAIN = new Program(
            Strategy.LANES,
            List.of(
                    new SlotOps.Reserve("numbers"),
                    new Op.Transaction(Op.End.ROLLBACK, List.of(new SlotOps.Change(SlotOps.Does.USE, 0))),
                    new SlotOps.Change(SlotOps.Does.CLEAR, 0),
                    new SlotOps.Reserve("numbers")));

    /** A person runs a job before its turn; then the one before it fails, and what waits for that is cancelled. */
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

    /** The same in the moment before a worker cancels it. */
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

    /** It was cancelled, and waits again when a person retries it, for as long as the one before it has not completed. */
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

    /** A job with a key, which is paused with its batch, is moved, and takes its position among the jobs of its key there. */
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

    /** A paused job that a person had run before its turn is moved, and others of its key do not wait for it there. */
    private static final Program MOVED_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.ChangeBatch(Op.BatchChange.PAUSE, 0),
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.Claim("default", Op.Kinds.BOTH, 5),
                    new Op.ChangeAll(Which.ALL, Change.MOVE_TO_B)));

    /** A person runs a blocked job, it is paused with its batch, and then the first of its key is released. */
    private static final Program PAUSED_OUT_OF_TURN = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 1),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS)));

    /** A person runs a job before its turn, its run fails, and a retry of all passes it by, though it waits for a moment. */
    private static final Program RETRIED_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Op.Ends(0, How.FAIL),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** What waits in a batch within one that is stopped is cancelled, too. */
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

    /** One of five jobs has failed, which stops no batch; while the others were cancelled one by one, it was one of two. */
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

    /** A job with a key, which is paused with its batch, makes room for others of its key, if several may run at once. */
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

    /** The same of one that a person has run before its turn. */
    private static final Program ROOM_OF_A_PAUSED_ONE_OUT_OF_TURN = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.KeysAtOnce("default", 2),
                    new Op.OpenBatch(true, false),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    enqueue(Opt.IN_BATCH, Opt.KEY_X),
                    new Op.One(Op.Person.RETRY, 0),
                    new WhilePaused(0, Op.Duty.RELEASE_KEYS)));

    /** A job whose key is on hold waits for its workflow again, and not for its key. */
    private static final Program HELD_AND_BLOCKED = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.WITH_KEYS),
                    new Op.PauseKey("default", "x"),
                    new Op.One(Op.Person.CANCEL, 1),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** The last job of a schedule is blocked by its key, which is not its end. */
    private static final Program SCHEDULED_AND_BLOCKED = new Program(
            Strategy.ROWS,
            List.of(
                    new ScheduleOps.Add(
                            "t", ScheduleOps.When.AFTER_10S, ScheduleOps.Policy.ONCE_SKIP, List.of(Opt.KEY_X)),
                    new ScheduleOps.ProcessTicks(),
                    Op.Duty.CRASH,
                    new ScheduleOps.ProcessTicks()));

    /** Of two finished jobs with the same unique key, a retry of all revives the newest. */
    private static final Program RETRIED_WITH_THE_SAME_KEY = new Program(
            Strategy.ROWS,
            List.of(
                    enqueue(Opt.UNIQUE),
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    enqueue(Opt.UNIQUE),
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    new Op.ChangeAll(Which.ALL, Change.RETRY)));

    /** Pruning frees the key of a cancelled job, which is revived afterwards and waits again. */
    private static final Program REVIVED_AFTER_PRUNING = new Program(
            Strategy.LANES,
            List.of(
                    enqueue(Opt.UNIQUE_WAITING),
                    Op.Time.DAYS_8,
                    new Op.ChangeAll(Which.ALL, Change.CANCEL),
                    Op.Duty.PRUNE,
                    new Op.One(Op.Person.RETRY, 0),
                    enqueue(Opt.UNIQUE_WAITING)));

    static final List<Program> ALL = List.of(
            RETRIED_WITH_THE_SAME_KEY,
            REVIVED_AFTER_PRUNING,
            SCHEDULED_AND_BLOCKED,
            HELD_AND_BLOCKED,
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
