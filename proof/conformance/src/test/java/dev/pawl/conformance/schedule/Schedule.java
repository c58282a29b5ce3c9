package dev.pawl.conformance.schedule;

import dev.pawl.admin.Admin;
import dev.pawl.admin.FinishedJobs;
import dev.pawl.admin.JobFilter;
import dev.pawl.admin.QueueStats;
import dev.pawl.api.DatabaseException;
import dev.pawl.api.Job;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.api.Strategy;
import dev.pawl.internal.store.ClaimStrategy;
import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.Settlement;
import dev.pawl.internal.store.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A few jobs, the actors that compete for them, and an order of their statements, all derived from the seed. */
final class Schedule {
    private static final int MAX_ROUNDS = 30;

    private final ScheduleDatabase database;
    private final Strategy strategy;
    private final List<Role> cast;
    private final UnaryOperator<String> fault;
    private final long seed;
    private final History history = new History();

    /**
     * @param cast the actors
     * @param fault changes statements
     */
    Schedule(ScheduleDatabase database, Strategy strategy, List<Role> cast, UnaryOperator<String> fault, long seed) {
        this.database = database;
        this.strategy = strategy;
        this.cast = cast;
        this.fault = fault;
        this.seed = seed;
    }

    /** {@return the violation and the events that led to it} */
    Optional<String> run() throws SQLException, InterruptedException {
        Random random = new Random(seed);
        boolean mayVanish = cast.contains(Role.PRUNER) || random.nextInt(4) == 0;
        Retention retention =
                mayVanish && random.nextBoolean() ? Retention.DEFAULTS.completed(Duration.ZERO) : Retention.DEFAULTS;
        database.reset(strategy instanceof Strategy.Lanes);
        int jobs = 1 + Math.min(random.nextInt(4), random.nextInt(4)); // fewer jobs mean more conflicts
        Client witness = new Client("witness", database.site(0), history, Gate.OPEN, fault, retention, mayVanish);
        witness.enqueue(new Role.Part(random, strategy, 0, 0).jobs(jobs), true);
        Scheduler scheduler = new Scheduler(new Choice(seed), database.waits());
        for (int i = 0; i < cast.size(); i++) {
            Role role = cast.get(i);
            Role.Part part = new Role.Part(new Random(random.nextLong()), strategy, database.worker(i), jobs);
            ScheduleDatabase.Site site = database.site(1 + i);
            String name = role.name().toLowerCase(java.util.Locale.ROOT) + (i + 1);
            scheduler.add(
                    name, gate -> role.play(new Client(name, site, history, gate, fault, retention, mayVanish), part));
        }
        List<String> problems = new ArrayList<>(scheduler.run());
        if (scheduler.trace().contains("deadlock")) {
            problems.add("transactions waited for each other in a circle");
        }
        if (problems.isEmpty()) {
            try {
                examine(witness, problems);
            } catch (SQLException | DatabaseException e) {
                problems.add("at the end: " + e);
            }
        }
        if (problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("seed %d, %s, %s\n%s\n%s"
                .formatted(seed, strategy, cast, String.join("\n", problems), scheduler.trace()));
    }

    private void examine(Client witness, List<String> problems) throws SQLException {
        compare(witness, witness.findAll(), problems);
        finish(witness);
        List<Job> jobs = witness.findAll();
        compare(witness, jobs, problems);
        for (Job job : jobs) {
            if (job.state() == JobState.AVAILABLE || job.state() == JobState.RUNNING) {
                problems.add("job " + job.id() + " is " + job.state() + ", and no worker finds it");
            }
        }
        count(witness, jobs, problems);
        history.unexplained().ifPresent(problems::add);
    }

    /** A worker that is alone on the database runs the remaining jobs to their end. */
    private void finish(Client witness) throws SQLException {
        ClaimStrategy by = witness.store().strategy(strategy);
        witness.endLeases();
        for (int rounds = 0; rounds < MAX_ROUNDS && witness.rescue() > 0; rounds++) {}
        witness.recount();
        List<Grant> grants;
        int rounds = 0;
        do {
            grants = witness.claim(by, database.worker(0), 100, Duration.ofHours(1));
            witness.settle(
                    by,
                    grants.stream()
                            .map(grant -> new Settlement(grant.lease(), new Verdict.Completed()))
                            .toList());
        } while (!grants.isEmpty() && ++rounds < MAX_ROUNDS);
    }

    /** Reading each job and listing all jobs must agree. */
    private static void compare(Client witness, List<Job> found, List<String> problems) {
        List<String> one = described(found);
        List<String> other = described(witness.admin().jobs().list(JobFilter.ALL.limit(1000)));
        if (!one.equals(other)) {
            problems.add("found one by one " + one + ", but listed " + other);
        }
    }

    private static List<String> described(List<Job> jobs) {
        return jobs.stream()
                .sorted(Comparator.comparing(Job::id))
                .map(job -> "%d %s %d %d".formatted(job.id(), job.state(), job.attempt(), job.leaseToken()))
                .toList();
    }

    private static void count(Client witness, List<Job> jobs, List<String> problems) {
        for (QueueStats queue : witness.admin().queues().list(Admin.UNLIMITED)) {
            if (queue.available() + queue.delayed() + queue.retrying() + queue.running() > 0) {
                problems.add("all is done, but there is " + queue);
            }
        }
        long[] counts = Stream.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED)
                .mapToLong(state ->
                        jobs.stream().filter(job -> job.state() == state).count())
                .toArray();
        FinishedJobs expected = new FinishedJobs("default", counts[0], counts[1], counts[2]);
        Set<FinishedJobs> counted = new HashSet<>(witness.admin().queues().finished(Admin.UNLIMITED));
        if (!counted.equals(jobs.isEmpty() ? Set.of() : Set.of(expected))) {
            problems.add("found " + expected + ", but counted " + counted);
        }
    }
}
