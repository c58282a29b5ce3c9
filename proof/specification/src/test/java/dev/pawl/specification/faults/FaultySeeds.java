package dev.pawl.specification.faults;

import dev.pawl.api.Strategy;
import dev.pawl.specification.Change;
import dev.pawl.specification.How;
import dev.pawl.specification.Op;
import dev.pawl.specification.Opt;
import dev.pawl.specification.Program;
import dev.pawl.specification.RetentionOp;
import dev.pawl.specification.Shape;
import dev.pawl.specification.Which;
import java.util.List;

/** Regression programs with faults. */
final class FaultySeeds {
    /** A worker that has lost the reply to its claim does not know the claimed jobs; they run again when their leases have expired. */
    private static final Program CLAIM_WITHOUT_REPLY = new Program(
            Strategy.LANES,
            List.of(
                    Op.enqueue(Opt.KEY_X),
                    Op.enqueue(),
                    new Failing(new Op.Claim("default", Op.Kinds.BOTH, 2), 12, Fault.AFTER, true),
                    Op.Duty.CRASH,
                    new Op.Claim("default", Op.Kinds.BOTH, 2),
                    new Op.Ends(0, How.COMPLETE)));

    /** A worker dies after it has claimed a range of a lane, before it hands off the jobs of other kinds. */
    private static final Program DEATH_WITH_OTHER_KINDS = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("b", Op.Kinds.BOTH, 1),
                    Op.enqueue(Opt.QUEUE_B),
                    new Failing(new Op.Claim("b", Op.Kinds.ONLY_B, 1), 7, Fault.DEATH_BEFORE, true),
                    Op.Duty.CRASH));

    /** A duty skips a part that has failed, and leaves it to its next run. */
    private static final Program RESCUE_IN_PARTS = new Program(
            Strategy.LANES,
            List.of(
                    new Failing(new Op.Claim("default", Op.Kinds.BOTH, 1), 9, Fault.DEATH_BEFORE, true),
                    Op.enqueue(),
                    new Failing(new Op.Claim("default", Op.Kinds.ONLY_A, 1), 8, Fault.AFTER, false),
                    new Failing(Op.Duty.CRASH, 1, Fault.FULL, true)));

    /** A job has expired, and its worker dies after it has claimed the job and before it cancels the job. The job's unique key is free. */
    private static final Program CLAIMED_TOO_LATE = new Program(
            Strategy.ROWS,
            List.of(
                    Op.enqueue(Opt.QUEUE_B, Opt.EXPIRES_5S, Opt.UNIQUE),
                    Op.Time.HOURS_3,
                    new Failing(new Op.Claim("b", Op.Kinds.BOTH, 5), 9, Fault.DEATH_BEFORE, false),
                    Op.enqueue(Opt.KEY_X, Opt.UNIQUE, Opt.QUEUE_B)));

    /**
     * A user makes the pending jobs of a workflow available, their dependency is discarded, and a call of the duty that cancels pending
     * jobs fails.
     */
    private static final Program RELEASED_BEFORE_ITS_CANCELLATION = new Program(
            Strategy.LANES,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN_OF_ONE_TRY),
                    new Op.One(Op.Person.EDIT_NOW, 2),
                    new Op.One(Op.Person.RETRY, 1),
                    new Failing(new Op.Claim("default", Op.Kinds.BOTH, 1), 16, Fault.BEFORE, true),
                    Op.Duty.CRASH,
                    new Failing(Op.Duty.TIDY, 18, Fault.CONFLICT, false)));

    /** A run whose claim is lost adds a job to its batch, which is sealed but not done. */
    private static final Program LATE_MEMBER = new Program(
            Strategy.LANES,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN),
                    new Op.Lost(new Op.Claim("default", Op.Kinds.BOTH, 2)),
                    new Op.Add(0, List.of())));

    /** A change of all matching jobs fails after some of them: each job is changed completely or not at all. */
    private static final Program CHANGED_IN_PARTS = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.JOIN),
                    Op.enqueue(Opt.DELAY_10S),
                    new Op.Claim("default", Op.Kinds.ONLY_A, 5),
                    new Op.Ends(0, How.CANCEL),
                    new Failing(new Op.ChangeAll(Which.ALL, Change.RETRY), 17, Fault.FULL, false)));

    /**
     * The transaction of a run moves its job, and with it the other jobs of its kind, out of the lane. The database loses that commit.
     * Afterwards the other jobs end.
     */
    private static final Program LOST_MOVE = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.enqueue(),
                    Op.enqueue(),
                    Op.enqueue(),
                    new Op.Claim("default", Op.Kinds.BOTH, 3),
                    new LostSecond(List.of(new Op.Ends(0, How.COMPLETE_IN_TRANSACTION))),
                    new Op.Renew(0),
                    new Op.Ends(0, How.COMPLETE),
                    new Op.Ends(0, How.COMPLETE_IN_TRANSACTION)));

    /** The same, but no lease is renewed between the lost commit and the ends of the other jobs. */
    private static final Program LOST_MOVE_OF_ENDING_JOBS = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.enqueue(),
                    Op.enqueue(),
                    Op.enqueue(),
                    Op.enqueue(),
                    new Op.Claim("default", Op.Kinds.BOTH, 4),
                    new LostSecond(List.of(new Op.Ends(0, How.COMPLETE_IN_TRANSACTION))),
                    new Op.Ends(0, How.COMPLETE_IN_TRANSACTION),
                    new LostSecond(List.of(new Op.Ends(0, How.COMPLETE_IN_TRANSACTION))),
                    new Op.Ends(0, How.FAIL)));

    /**
     * A user cancels a running job, and its worker renews the lease of another job. The database loses both changes, and the other job is
     * cancelled.
     */
    private static final Program LOST_CANCEL = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    Op.enqueue(),
                    Op.enqueue(),
                    new Op.Claim("default", Op.Kinds.BOTH, 2),
                    new LostSecond(List.of(new Op.One(Op.Person.CANCEL, 0), new Op.Renew(1))),
                    new Op.One(Op.Person.CANCEL, 1),
                    new Op.Ends(1, How.COMPLETE)));

    /** A retention rule was once written in two transactions, and was empty after the first one. */
    private static final Program RULE_THAT_SAYS_NOTHING = new Program(
            Strategy.LANES,
            List.of(new Failing(
                    new RetentionOp(RetentionOp.About.KIND_A, RetentionOp.Keeps.COMPLETED_NOT),
                    5,
                    Fault.BEFORE,
                    true)));

    /** The reply to opening an inner batch is lost. */
    private static final Program INNER_BATCH_WITHOUT_REPLY = new Program(
            Strategy.LANES,
            List.of(
                    new Op.OpenBatch(true, false, false),
                    new Failing(new Op.OpenBatch(true, true, true), 10, Fault.AFTER, true)));

    /** A statement of the library conflicts within the transaction of a run, and the run is released. */
    private static final Program CONFLICT_IN_A_TRANSACTION = new Program(
            Strategy.ROWS,
            List.of(
                    new Op.StartWorkflow(Shape.CHAIN),
                    new Op.Claim("default", Op.Kinds.BOTH, 1),
                    new Failing(new Op.Ends(0, How.COMPLETE_IN_TRANSACTION), 6, Fault.CONFLICT, true)));

    static final List<Program> ALL = List.of(
            RULE_THAT_SAYS_NOTHING,
            INNER_BATCH_WITHOUT_REPLY,
            CONFLICT_IN_A_TRANSACTION,
            LOST_MOVE,
            LOST_MOVE_OF_ENDING_JOBS,
            LOST_CANCEL,
            CLAIM_WITHOUT_REPLY,
            DEATH_WITH_OTHER_KINDS,
            RESCUE_IN_PARTS,
            CLAIMED_TOO_LATE,
            RELEASED_BEFORE_ITS_CANCELLATION,
            LATE_MEMBER,
            CHANGED_IN_PARTS);

    private FaultySeeds() {}
}
