package dev.pawl.lab.run;

import dev.pawl.lab.contender.Recovery;
import dev.pawl.lab.contender.Setup;
import dev.pawl.lab.database.Scratch;
import dev.pawl.lab.database.Target;
import java.time.Duration;

/** One trial of {@link Cell.Measure#RECOVERY}. */
final class RecoveryTrial {
    private RecoveryTrial() {}

    static Trial run(Target target, Cell cell, LabFile.Plan plan, int round) throws Exception {
        double fsync = Disk.fsyncMicros();
        try (Scratch scratch = target.scratch()) {
            Setup setup = new Setup(cell.system(), scratch, cell.workers(), 0, cell.batch(), 0, 0);
            Duration lay = Recovery.measure(setup, Duration.ofMillis(plan.leaseMillis()));
            return Trial.of(cell, round, lay.toNanos() / 1e6, new Trial.Box(fsync, null));
        }
    }
}
