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

    static final List<Program> ALL = List.of(CLAIM_WITHOUT_REPLY);

    private FaultySeeds() {}
}
