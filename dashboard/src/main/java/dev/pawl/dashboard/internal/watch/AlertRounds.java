package dev.pawl.dashboard.internal.watch;

import dev.pawl.JobQueue;
import dev.pawl.dashboard.alert.Alert;
import dev.pawl.dashboard.alert.AlertListener;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.dashboard.alert.QuietTime;
import dev.pawl.spi.Leadership;
import dev.pawl.spi.Series;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A round of detecting and delivering alerts. The state is saved after each delivery under the leadership token, so a process that has lost
 * the leadership writes nothing and ends its round.
 */
public final class AlertRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertRounds.class);
    private static final String TASK = "alerts";
    private static final Duration HELD = Duration.ofMinutes(1);
    /** A problem that ends and recurs within this time counts as one. */
    private static final Duration OVER_AFTER = Duration.ofMinutes(1);
    /** Shorter than {@code HELD}, because the leadership must not expire during a round. */
    private static final Duration MAX_ROUND = Duration.ofSeconds(30);

    /** Maximum time that closing waits for a round in flight. */
    private static final Duration MAX_CLOSE_WAIT = Duration.ofSeconds(5);
    /** The report that a problem has ended is dropped if the receiver refuses it for this long. */
    private static final Duration MAX_END_RETRY = Duration.ofDays(1);

    /** How long a worker must be missing before that is reported, because a restarting worker is missing for a moment. */
    private static final Duration WITHOUT_WORKER = Duration.ofMinutes(1);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

    private final JobQueue queue;
    private final List<AlertRule> rules;
    private final List<QuietTime> quiet;
    private final AlertListener listener;
    private final Clock clock;
    private final String owner = Leader.next();
    private Duration pause = Duration.ZERO;
    private Instant notBefore = Instant.EPOCH;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean ended;

    /**
     * @param queue to watch
     * @param rules conditions to check
     * @param quiet periods without alerts
     * @param listener receives the alerts
     * @param clock of this process
     */
    public AlertRounds(
            JobQueue queue, List<AlertRule> rules, List<QuietTime> quiet, AlertListener listener, Clock clock) {
        this.queue = queue;
        this.rules = List.copyOf(rules);
        this.quiet = List.copyOf(quiet);
        this.listener = listener;
        this.clock = clock;
    }

    /** Checks the rules and delivers new alerts, if this process is the leader. */
    public void once() {
        lock.lock();
        try {
            if (!ended) {
                round();
            }
        } finally {
            lock.unlock();
        }
    }

    private void round() {
        Optional<dev.pawl.spi.Leader> leader = queue.unwrap(Leadership.class).hold(TASK, owner, HELD);
        if (leader.isEmpty()) {
            return;
        }
        boolean unused = queue.unwrap(Series.class).take(owner);
        Instant now = clock.instant();
        Map<String, KnownProblems.Entry> known = KnownProblems.read(leader.get().state());
        detect(known, now);
        boolean isOurs = queue.unwrap(Leadership.class).save(leader.get(), KnownProblems.write(known));
        boolean isQuiet = quiet.stream().anyMatch(time -> time.contains(now));
        if (isOurs && !isQuiet && !now.isBefore(notBefore)) {
            deliver(leader.get(), known, now);
        }
    }

    private void detect(Map<String, KnownProblems.Entry> known, Instant now) {
        Problems problems = new Problems(queue);
        for (AlertRule rule : rules) {
            String name = rule.toString();
            // Each rule has its own limit, so that one with very many problems leaves space for the others.
            long places = KnownProblems.MAX_OF_RULE
                    - known.values().stream()
                            .filter(entry -> entry.rule().equals(name))
                            .count();
            for (Problems.Problem problem : problems.of(rule)) {
                KnownProblems.Entry entry =
                        new KnownProblems.Entry(problem.rule(), problem.subject(), problem.text(), now, now, false);
                KnownProblems.Entry before = known.get(entry.key());
                if (before != null) {
                    known.put(entry.key(), before.seen(now, problem.text()));
                } else if (places > 0) {
                    places--;
                    known.put(entry.key(), entry);
                }
            }
        }
        // Unreported problems end silently.
        known.values().removeIf(entry -> !entry.isReported() && isOver(entry, now));
    }

    private static boolean isOver(KnownProblems.Entry entry, Instant now) {
        return Duration.between(entry.last(), now).compareTo(OVER_AFTER) >= 0;
    }

    /** A refused alert does not delay the others and goes last in the next round. */
    private void deliver(dev.pawl.spi.Leader leader, Map<String, KnownProblems.Entry> known, Instant now) {
        long before = System.nanoTime();
        boolean hasFailed = false;
        for (KnownProblems.Entry entry : new ArrayList<>(known.values())) {
            boolean isOver = entry.isReported() && isOver(entry, now);
            boolean isNew = !entry.isReported()
                    && !entry.first().plus(reportedAfter(entry.rule())).isAfter(now);
            if (!isOver && !isNew) {
                continue;
            }
            if (ended || System.nanoTime() - before > MAX_ROUND.toNanos()) {
                break;
            }
            try {
                listener.deliver(alert(entry, isOver));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // an Error of one listener must not end the alerts of all
                log(entry, e, hasFailed);
                hasFailed = true;
                known.remove(entry.key());
                if (isOver && Duration.between(entry.last(), now).compareTo(MAX_END_RETRY) > 0) {
                    LOG.warn("giving up reporting the end of a problem: {}, {}", entry.rule(), entry.subject());
                } else {
                    known.put(entry.key(), entry);
                }
                continue;
            }
            known.remove(entry.key());
            if (!isOver) {
                known.put(entry.key(), entry.reported());
            }
            if (!saved(leader, known)) {
                return;
            }
        }
        if (hasFailed) {
            pause(now);
            boolean unused = saved(leader, known);
        } else {
            pause = Duration.ZERO;
        }
    }

    /** {@return how long a problem of a rule must persist before it is reported} */
    private Duration reportedAfter(String name) {
        return rules.stream()
                        .anyMatch(rule -> rule.condition() == AlertRule.Condition.NO_WORKER
                                && rule.toString().equals(name))
                ? WITHOUT_WORKER
                : Duration.ZERO;
    }

    private static Alert alert(KnownProblems.Entry entry, boolean isOver) {
        String id = Long.toHexString(entry.first().toEpochMilli()) + "-"
                + Integer.toHexString(entry.key().hashCode());
        return new Alert(id, isOver, entry.rule(), entry.subject(), entry.text(), entry.first());
    }

    /** Warns about the first failure of a round only, because all deliveries fail while the receiver is down. */
    private static void log(KnownProblems.Entry entry, Throwable e, boolean hasFailed) {
        if (hasFailed) {
            LOG.debug("cannot report {} either", entry.subject(), e);
        } else {
            LOG.warn("cannot report {}: {}; trying again", entry.subject(), e.toString());
        }
    }

    private void pause(Instant now) {
        Duration twice = pause.multipliedBy(2);
        pause = pause.isZero() ? FIRST_PAUSE : twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
        notBefore = now.plus(pause);
    }

    /** Saves the state even if closing has interrupted this thread, because another process would otherwise repeat the deliveries. */
    private boolean saved(dev.pawl.spi.Leader leader, Map<String, KnownProblems.Entry> known) {
        boolean isInterrupted = Thread.interrupted();
        try {
            return queue.unwrap(Leadership.class).save(leader, KnownProblems.write(known));
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets another process take over: at once, or, if a round does not end, when the leadership expires. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (!lock.tryLock(MAX_CLOSE_WAIT.toSeconds(), TimeUnit.SECONDS)) {
                LOG.debug("a round does not end; the leadership is left to expire");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            queue.unwrap(Leadership.class).hold(TASK, owner, HELD).ifPresent(queue.unwrap(Leadership.class)::release);
        } catch (RuntimeException e) {
            LOG.debug("the leadership is left to expire", e);
        } finally {
            lock.unlock();
        }
    }
}
