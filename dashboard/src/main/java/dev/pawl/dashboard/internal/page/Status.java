package dev.pawl.dashboard.internal.page;

import dev.pawl.admin.WorkerInfo;
import dev.pawl.api.PawlException;
import dev.pawl.dashboard.internal.page.Incident.Severity;
import dev.pawl.dashboard.internal.snapshot.Cached;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Refusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the whole queue, in the frame of every page.
 *
 * @param incidents what is wrong now, the worst first
 * @param notices what should be known
 * @param counts of the navigation, by the names of its pages; without those that are zero
 */
public record Status(List<Incident> incidents, List<Incident> notices, Map<String, Count> counts) {
    private static final Logger LOG = LoggerFactory.getLogger(Status.class);

    /**
     * A number in the navigation.
     *
     * @param text the number
     * @param words what it counts, for screen readers
     */
    public record Count(String text, String words) {}

    /** Reads the state, once for all viewers. Thread-safe. */
    static final class Reader {
        private final Cached<Status> last;

        Reader(Snapshots snapshots) {
            last = snapshots.derived(() -> of(snapshots));
        }

        /** {@return the state, by a query if there is no recent one} */
        Status now() {
            return last.get();
        }

        /** {@return the state; null while the database does not answer, so that a page does not wait for its frame} */
        @Nullable
        Status soon() {
            try {
                return last.soon().orElse(null);
            } catch (Refusal | PawlException e) {
                LOG.debug("the frame of a page is left without the state of the queue", e);
                return null;
            }
        }
    }

    private static Status of(Snapshots snapshots) {
        List<Incident> all = Incidents.of(snapshots);
        return new Status(
                all.stream().filter(one -> !isNotice(one)).toList(),
                all.stream().filter(Status::isNotice).toList(),
                counts(snapshots));
    }

    private static boolean isNotice(Incident incident) {
        return incident.cause().severity() == Severity.NOTICE;
    }

    private static Map<String, Count> counts(Snapshots snapshots) {
        Map<String, Count> counts = new LinkedHashMap<>();
        long jobs = snapshots.queues().stream()
                .mapToLong(queue -> queue.available() + queue.delayed() + queue.retrying() + queue.running())
                .sum();
        long discarded = Discards.of(snapshots.recentSeries()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        long workers = snapshots.workers().stream().filter(WorkerInfo::alive).count();
        add(counts, "queues", snapshots.queues().size(), "with jobs");
        add(counts, "jobs", jobs, "not finished");
        add(counts, "failures", discarded, "discarded in 24 hours");
        add(counts, "schedules", snapshots.schedules().size(), "in all");
        add(counts, "limits", snapshots.limits().size(), "in all");
        add(counts, "workers", workers, "alive");
        add(counts, "managers", snapshots.remoteWorkers().size(), "remote workers");
        return counts;
    }

    private static void add(Map<String, Count> counts, String page, long number, String words) {
        if (number > 0) {
            counts.put(page, new Count(Formats.rough(number), words));
        }
    }
}
