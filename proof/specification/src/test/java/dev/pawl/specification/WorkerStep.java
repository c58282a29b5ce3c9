package dev.pawl.specification;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** What happens to a live worker, apart from its jobs. */
enum WorkerStep implements Op {
    /** The database is away for longer than a lease. All handlers end in the meantime, and their outcomes are not recorded yet. */
    OUTAGE {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.readClocks(model);
            real.worker.losesDatabase();
            model.now = model.now.plus(LONGER_THAN_A_LEASE);
            real.clock(model.now);
            real.worker.findsDatabase();
            model.outage(real.worker, real.claims(real.worker));
        }
    },
    /** The clock of the database is set forward. */
    CLOCK_STEPS {
        @Override
        public void on(Real real, Model model) throws SQLException {
            real.readClocks(model);
            model.stepClock(LONGER_THAN_A_LEASE);
            real.stepClock(model.now);
        }
    },
    /** The worker itself rescues jobs; unlike other workers it knows its own runs. */
    RESCUE_BY_ITSELF {
        @Override
        public void on(Real real, Model model) throws SQLException {
            Set<Long> held = real.claims(real.worker);
            int unused = real.worker.rescue();
            model.rescue(real.worker, held);
        }
    },
    /** All workers are idle, and suspend until the time that the database names. */
    SLEEP {
        @Override
        public void on(Real real, Model model) throws SQLException {
            Duty.RELEASE_KEYS.on(real, model); // as every worker has done by then
            model.compare(real.listed());
            model.sleep(real.worker.suspendsFor());
            Duty.TIDY.on(real, model);
        }
    };

    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(45);

    @Override
    public String toString() {
        return "WorkerStep." + name();
    }
}
