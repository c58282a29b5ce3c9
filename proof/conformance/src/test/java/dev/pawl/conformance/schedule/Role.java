package dev.pawl.conformance.schedule;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What an actor does beside others; the details are random. */
enum Role {
    WORKER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            work(desk, desk.store().strategy(part.strategy()), part);
        }
    },
    /** A worker without lanes, apart from the duties of every worker. */
    DRAINER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            work(desk, desk.store().strategy(Strategy.ROWS), part);
        }
    },
    /** Completes one job after the other. */
    DILIGENT {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            ClaimStrategy by = desk.store().strategy(part.strategy());
            for (int rounds = 2 + part.draw(2); rounds > 0; rounds--) {
                complete(desk, by, desk.claim(by, part.worker(), 1, LONG));
            }
        }
    },
    /** Renews its leases after they have expired; may never finish a job. */
    LAZY {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            ClaimStrategy by = desk.store().strategy(part.strategy());
            List<Grant> grants = desk.claim(by, part.worker(), 1 + part.draw(2), Duration.ZERO);
            for (Grant grant : grants) {
                desk.renew(by, grant.lease(), null, LONG);
            }
            if (part.draw(2) == 0) {
                complete(desk, by, grants);
            }
        }
    },
    ENQUEUER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                desk.enqueue(part.jobs(1 + part.draw(2)), part.draw(5) > 0);
            }
        }
    },
    CANCELLER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                desk.cancel(part.aJob());
            }
        }
    },
    RETRIER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                desk.retry(part.aJob());
            }
        }
    },
    RESCUER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            if (part.draw(3) > 0) {
                desk.endLeases();
            }
            int unused = desk.rescue();
        }
    },
    RECOUNTER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            for (int i = part.draw(3); i >= 0; i--) {
                desk.recount();
            }
        }
    },
    PRUNER {
        @Override
        void play(Desk desk, Part part) throws SQLException {
            desk.prune();
        }
    };

    private static final int[] LIMITS = {1, 2, 3, 10};
    private static final Duration LONG = Duration.ofHours(1);

    /** Plays the role to its end. */
    abstract void play(Desk desk, Part part) throws SQLException;

    /**
     * The parameters of an actor.
     *
     * @param random the source of its decisions
     * @param strategy of workers
     * @param worker its id in the database
     * @param jobs how many there were at the beginning
     */
    record Part(Random random, Strategy strategy, long worker, int jobs) {
        int draw(int bound) {
            return random.nextInt(bound);
        }

        long aJob() {
            return 1L + random.nextInt(jobs + 1);
        }

        /** Some of them have a unique key, and therefore start in a row. */
        List<EnqueueOptions> jobs(int count) {
            return IntStream.range(0, count)
                    .mapToObj(i -> random.nextInt(4) == 0
                            ? EnqueueOptions.DEFAULTS.uniqueKey("key " + random.nextLong())
                            : EnqueueOptions.DEFAULTS)
                    .toList();
        }

        private Duration lease() {
            return draw(3) == 0 ? Duration.ZERO : LONG;
        }
    }

    private static void complete(Desk desk, ClaimStrategy by, List<Grant> grants) throws SQLException {
        settle(
                desk,
                by,
                grants.stream()
                        .map(grant -> new Settlement(grant.lease(), new Verdict.Completed()))
                        .toList());
    }

    private static void work(Desk desk, ClaimStrategy by, Part part) throws SQLException {
        for (int rounds = 1 + part.draw(2); rounds > 0; rounds--) {
            List<Grant> grants = desk.claim(by, part.worker(), LIMITS[part.draw(LIMITS.length)], part.lease());
            List<Settlement> outcomes = new ArrayList<>();
            for (Grant grant : grants) {
                run(desk, by, grant.lease(), part, outcomes);
            }
            if (!outcomes.isEmpty()) {
                settle(desk, by, outcomes);
            }
        }
    }

    private static void run(Desk desk, ClaimStrategy by, Lease lease, Part part, List<Settlement> outcomes)
            throws SQLException {
        switch (part.draw(12)) {
            case 0 -> desk.release(by, lease);
            case 1 -> desk.completeInTransaction(by, lease);
            case 2 -> {} // its worker is dead
            case 3 -> outcomes.add(new Settlement(lease, new Verdict.Retry(Duration.ZERO, "boom")));
            case 4 -> outcomes.add(new Settlement(lease, new Verdict.Snooze(Duration.ZERO)));
            case 5 -> outcomes.add(new Settlement(lease, new Verdict.Discarded("no", "boom")));
            case 6 -> {
                desk.renew(by, lease, null, LONG);
                outcomes.add(new Settlement(lease, new Verdict.Completed()));
            }
            case 7 -> {
                desk.renew(by, lease, 50, LONG);
                outcomes.add(new Settlement(lease, new Verdict.Completed()));
            }
            default -> outcomes.add(new Settlement(lease, new Verdict.Completed()));
        }
    }

    /** Outcomes whose row is locked are retried, as the engine does. */
    private static void settle(Desk desk, ClaimStrategy by, List<Settlement> outcomes) throws SQLException {
        List<Settlement> left = outcomes;
        for (int tries = 0; tries < 3 && !left.isEmpty(); tries++) {
            var busy = desk.settle(by, left).busy();
            left = left.stream().filter(run -> busy.contains(run.lease())).toList();
        }
    }
}
