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

/** What an actor does while others act; the details are random. */
enum Role {
    WORKER {
        @Override
        void play(Client client, Part part) throws SQLException {
            work(client, client.store().strategy(part.strategy()), part);
        }
    },
    /** A worker that claims rows, and moves waiting jobs from lanes to rows. */
    DRAINER {
        @Override
        void play(Client client, Part part) throws SQLException {
            work(client, client.store().strategy(Strategy.ROWS), part);
        }
    },
    /** Completes one job after the other. */
    DILIGENT {
        @Override
        void play(Client client, Part part) throws SQLException {
            ClaimStrategy by = client.store().strategy(part.strategy());
            for (int rounds = 2 + part.draw(2); rounds > 0; rounds--) {
                complete(client, by, client.claim(by, part.worker(), 1, LONG));
            }
        }
    },
    /** Renews its leases after they have expired; may never finish a job. */
    LAZY {
        @Override
        void play(Client client, Part part) throws SQLException {
            ClaimStrategy by = client.store().strategy(part.strategy());
            List<Grant> grants = client.claim(by, part.worker(), 1 + part.draw(2), Duration.ZERO);
            for (Grant grant : grants) {
                client.renew(by, grant.lease(), null, LONG);
            }
            if (part.draw(2) == 0) {
                complete(client, by, grants);
            }
        }
    },
    ENQUEUER {
        @Override
        void play(Client client, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                client.enqueue(part.jobs(1 + part.draw(2)), part.draw(5) > 0);
            }
        }
    },
    CANCELLER {
        @Override
        void play(Client client, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                client.cancel(part.aJob());
            }
        }
    },
    RETRIER {
        @Override
        void play(Client client, Part part) throws SQLException {
            for (int i = part.draw(2); i >= 0; i--) {
                client.retry(part.aJob());
            }
        }
    },
    RESCUER {
        @Override
        void play(Client client, Part part) throws SQLException {
            if (part.draw(3) > 0) {
                client.endLeases();
            }
            int unused = client.rescue();
        }
    },
    RECOUNTER {
        @Override
        void play(Client client, Part part) throws SQLException {
            for (int i = part.draw(3); i >= 0; i--) {
                client.recount();
            }
        }
    },
    PRUNER {
        @Override
        void play(Client client, Part part) throws SQLException {
            client.prune();
        }
    };

    private static final int[] LIMITS = {1, 2, 3, 10};
    private static final Duration LONG = Duration.ofHours(1);

    /** Plays the role to its end. */
    abstract void play(Client client, Part part) throws SQLException;

    /**
     * The parameters of an actor.
     *
     * @param random the source of its decisions
     * @param strategy of workers
     * @param worker its id in the database
     * @param jobs how many jobs there were at the beginning
     */
    record Part(Random random, Strategy strategy, long worker, int jobs) {
        int draw(int bound) {
            return random.nextInt(bound);
        }

        long aJob() {
            return 1L + random.nextInt(jobs + 1);
        }

        /** {@return options of new jobs} Some jobs have a unique key, and therefore start in a row. */
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

    private static void complete(Client client, ClaimStrategy by, List<Grant> grants) throws SQLException {
        settle(
                client,
                by,
                grants.stream()
                        .map(grant -> new Settlement(grant.lease(), new Verdict.Completed()))
                        .toList());
    }

    private static void work(Client client, ClaimStrategy by, Part part) throws SQLException {
        for (int rounds = 1 + part.draw(2); rounds > 0; rounds--) {
            List<Grant> grants = client.claim(by, part.worker(), LIMITS[part.draw(LIMITS.length)], part.lease());
            List<Settlement> outcomes = new ArrayList<>();
            for (Grant grant : grants) {
                run(client, by, grant.lease(), part, outcomes);
            }
            if (!outcomes.isEmpty()) {
                settle(client, by, outcomes);
            }
        }
    }

    private static void run(Client client, ClaimStrategy by, Lease lease, Part part, List<Settlement> outcomes)
            throws SQLException {
        switch (part.draw(12)) {
            case 0 -> client.release(by, lease);
            case 1 -> client.completeInTransaction(by, lease);
            case 2 -> {} // the worker of this job is dead
            case 3 -> outcomes.add(new Settlement(lease, new Verdict.Retry(Duration.ZERO, "boom")));
            case 4 -> outcomes.add(new Settlement(lease, new Verdict.Snooze(Duration.ZERO)));
            case 5 -> outcomes.add(new Settlement(lease, new Verdict.Discarded("no", "boom")));
            case 6 -> {
                client.renew(by, lease, null, LONG);
                outcomes.add(new Settlement(lease, new Verdict.Completed()));
            }
            case 7 -> {
                client.renew(by, lease, 50, LONG);
                outcomes.add(new Settlement(lease, new Verdict.Completed()));
            }
            default -> outcomes.add(new Settlement(lease, new Verdict.Completed()));
        }
    }

    /** Outcomes whose row is locked are retried, as the engine does. */
    private static void settle(Client client, ClaimStrategy by, List<Settlement> outcomes) throws SQLException {
        List<Settlement> left = outcomes;
        for (int tries = 0; tries < 3 && !left.isEmpty(); tries++) {
            var busy = client.settle(by, left).locked();
            left = left.stream().filter(run -> busy.contains(run.lease())).toList();
        }
    }
}
