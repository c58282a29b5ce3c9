package dev.pawl.specification;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;

/** What a worker that lives on goes through, other than its jobs. */
enum WorkerStep implements Op {
    /** The database is away for longer than a lease. All handlers end in the meantime, and what they said is not recorded yet. */
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
    /** The worker itself looks for jobs to rescue; other than other workers it knows what it runs. */
    RESCUE_BY_ITSELF {
        @Override
        public void on(Real real, Model model) throws SQLException {
            Set<Long> held = real.claims(real.worker);
            int unused = real.worker.rescue();
            model.rescue(real.worker, held);
        }
    },
    /** All workers have nothing to do, and sleep until the moment that the database names. */
    SLEEP {
        @Override
        public void on(Real real, Model model) throws SQLException {
            Duty.RELEASE_KEYS.on(real, model); // which every worker has done by then
            model.compare(real.listed());
            model.sleep(real.worker.sleepsFor());
            real.worker.tidy();
        }
    };

    private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(45);

    @Override
    public String toString() {
        return "WorkerStep." + name();
    }
}
