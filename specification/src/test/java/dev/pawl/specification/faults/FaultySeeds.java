package dev.pawl.specification.faults;

import dev.pawl.Strategy;
import dev.pawl.specification.How;
import dev.pawl.specification.Op;
import dev.pawl.specification.Opt;
import dev.pawl.specification.Program;
import java.util.List;

/** Programs with faults that once did other than the model says. */
final class FaultySeeds {
    /** A worker that has lost the reply to its claim is told nothing, and its jobs run again when their leases have expired. */
    private static final Program CLAIM_WITHOUT_REPLY = new Program(
            Strategy.LANES,
            List.of(
                    Op.enqueue(Opt.KEY_X),
                    Op.enqueue(),
                    new Failing(new Op.Claim("default", Op.Kinds.BOTH, 2), 12, Fault.AFTER, true),
                    Op.Duty.CRASH,
                    new Op.Claim("default", Op.Kinds.BOTH, 2),
                    new Op.Ends(0, How.COMPLETE)));

    /** A worker dies after it has claimed a range of a lane, before it gives away what is not of its kinds. */
    private static final Program DEATH_WITH_OTHER_KINDS = new Program(
            Strategy.LANES,
            List.of(
                    new Op.Claim("b", Op.Kinds.BOTH, 1),
                    Op.enqueue(Opt.QUEUE_B),
                    new Failing(new Op.Claim("b", Op.Kinds.ONLY_B, 1), 7, Fault.DEATH_BEFORE, true),
                    Op.Duty.CRASH));

    /** A duty goes on without what has failed, and leaves it to the next time. */
    private static final Program RESCUE_IN_PARTS = new Program(
            Strategy.LANES,
            List.of(
                    new Failing(new Op.Claim("default", Op.Kinds.BOTH, 1), 9, Fault.DEATH_BEFORE, true),
                    Op.enqueue(),
                    new Failing(new Op.Claim("default", Op.Kinds.ONLY_A, 1), 8, Fault.AFTER, false),
                    new Failing(Op.Duty.CRASH, 1, Fault.FULL, true)));

    static final List<Program> ALL = List.of(CLAIM_WITHOUT_REPLY, DEATH_WITH_OTHER_KINDS, RESCUE_IN_PARTS);

    private FaultySeeds() {}
}
