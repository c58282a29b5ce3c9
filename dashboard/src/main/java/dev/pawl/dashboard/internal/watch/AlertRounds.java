package dev.pawl.dashboard.internal.watch;

import dev.pawl.JobQueue;
import dev.pawl.admin.Duty;
import dev.pawl.dashboard.alert.Alert;
import dev.pawl.dashboard.alert.AlertListener;
import dev.pawl.dashboard.alert.AlertRule;
import dev.pawl.dashboard.alert.QuietTime;
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
 * A round of looking and telling. What is known is written after each thing that was told, under the token of the duty: who is not the
 * owner any more writes nothing, and ends its round.
 */
public final class AlertRounds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AlertRounds.class);
    private static final String DUTY = "alerts";
    private static final Duration HELD = Duration.ofMinutes(1);
    /** What comes and goes within it is one. */
    private static final Duration OVER_AFTER = Duration.ofMinutes(1);
    /** The hold must not end meanwhile. */
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

    /** Who ends waits no longer for a round that is under way. */
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    /** An end that the receiver refuses for so long is not told any more. */
    private static final Duration LONGEST_OVER = Duration.ofDays(1);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

    private final JobQueue queue;
    private final List<AlertRule> rules;
    private final List<QuietTime> quiet;
    private final AlertListener listener;
    private final Clock clock;
    private final String owner = Owner.next();
    private Duration pause = Duration.ZERO;
    private Instant notBefore = Instant.EPOCH;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean ended;

    /**
     * @param queue to look at
     * @param rules what to look for
     * @param quiet when nobody is told
     * @param listener who is told
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

    /** Looks, and tells what is new, if this process is the one that does. */
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
        Optional<Duty> duty = queue.admin().duties().hold(DUTY, owner, HELD);
        if (duty.isEmpty()) {
            return;
        }
        boolean unused = queue.admin().series().take(owner);
        Instant now = clock.instant();
        Map<String, Known.Entry> known = Known.read(duty.get().state());
        look(known, now);
        boolean isOurs = queue.admin().duties().save(duty.get(), Known.write(known));
        boolean isQuiet = quiet.stream().anyMatch(time -> time.contains(now));
        if (isOurs && !isQuiet && !now.isBefore(notBefore)) {
            tell(duty.get(), known, now);
        }
    }

    private void look(Map<String, Known.Entry> known, Instant now) {
        Troubles troubles = new Troubles(queue);
        for (AlertRule rule : rules) {
            String name = rule.toString();
            // Each rule has its own bound, or one with very many troubles would leave no place for others'.
            long places = Known.MOST_OF_RULE
                    - known.values().stream()
                            .filter(entry -> entry.rule().equals(name))
                            .count();
            for (Troubles.Trouble trouble : troubles.of(rule)) {
                Known.Entry entry = new Known.Entry(
                        trouble.rule(), trouble.subject(), trouble.text(), now.plus(trouble.lasting()), now, false);
                Known.Entry before = known.get(entry.key());
                if (before != null) {
                    known.put(entry.key(), before.seen(now, trouble.text()));
                } else if (places > 0) {
                    places--;
                    known.put(entry.key(), entry);
                }
            }
        }
        // What nobody was told of is over without a word.
        known.values().removeIf(entry -> !entry.isTold() && isOver(entry, now));
    }

    private static boolean isOver(Known.Entry entry, Instant now) {
        return Duration.between(entry.last(), now).compareTo(OVER_AFTER) >= 0;
    }

    /** One that is refused does not hold up the others, and is after them the next time. */
    private void tell(Duty duty, Map<String, Known.Entry> known, Instant now) {
        long before = System.nanoTime();
        boolean hasFailed = false;
        for (Known.Entry entry : new ArrayList<>(known.values())) {
            boolean isOver = entry.isTold() && isOver(entry, now);
            boolean isNew = !entry.isTold() && !entry.first().isAfter(now);
            if (!isOver && !isNew) {
                continue;
            }
            if (ended || System.nanoTime() - before > LONGEST_ROUND.toNanos()) {
                break;
            }
            try {
                listener.tell(alert(entry, isOver));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (Throwable e) { // an Error of one listener must not end the alerts of all
                log(entry, e, hasFailed);
                hasFailed = true;
                known.remove(entry.key());
                if (isOver && Duration.between(entry.last(), now).compareTo(LONGEST_OVER) > 0) {
                    LOG.warn("giving up telling that it is over: {}, {}", entry.rule(), entry.subject());
                } else {
                    known.put(entry.key(), entry);
                }
                continue;
            }
            known.remove(entry.key());
            if (!isOver) {
                known.put(entry.key(), entry.told());
            }
            if (!saved(duty, known)) {
                return;
            }
        }
        if (hasFailed) {
            pause(now);
            boolean unused = saved(duty, known);
        } else {
            pause = Duration.ZERO;
        }
    }

    private static Alert alert(Known.Entry entry, boolean isOver) {
        String id = Long.toHexString(entry.first().toEpochMilli()) + "-"
                + Integer.toHexString(entry.key().hashCode());
        return new Alert(id, isOver, entry.rule(), entry.subject(), entry.text(), entry.first());
    }

    /** One line for all: if the receiver is away, each of them fails. */
    private static void log(Known.Entry entry, Throwable e, boolean hasFailed) {
        if (hasFailed) {
            LOG.debug("cannot report {} either", entry.subject(), e);
        } else {
            LOG.warn("cannot report {}: {}; trying again", entry.subject(), e.toString());
        }
    }

    private void pause(Instant now) {
        Duration twice = pause.multipliedBy(2);
        pause = pause.isZero() ? FIRST_PAUSE : twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
        notBefore = now.plus(pause);
    }

    /** Who ends us interrupts us: what was told is written down even then, or another process would tell it again. */
    private boolean saved(Duty duty, Map<String, Known.Entry> known) {
        boolean isInterrupted = Thread.interrupted();
        try {
            return queue.admin().duties().save(duty, Known.write(known));
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Lets somebody else go on: at once, or if a round does not end, when the hold does. */
    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        try {
            if (!lock.tryLock(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
                LOG.debug("a round does not end, and the duty is left to end by itself");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            queue.admin()
                    .duties()
                    .hold(DUTY, owner, HELD)
                    .ifPresent(queue.admin().duties()::release);
        } catch (RuntimeException e) {
            LOG.debug("the duty is left to end by itself", e);
        } finally {
            lock.unlock();
        }
    }
}
