package dev.pawl.internal.engine;

import dev.pawl.api.Job;
import dev.pawl.internal.store.Allocation;
import dev.pawl.internal.store.Lease;
import dev.pawl.internal.store.LimitSource;
import dev.pawl.internal.store.LimitSource.Request;
import dev.pawl.limit.Subject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The limits of queues and kinds for a {@link StepWorker}. Permits are requested before each claim and not periodically, because the test's
 * time advances in leaps.
 */
final class StepLimits {
    private final LimitSource source;
    private final long worker;
    private final ServerClock clock;
    private final Map<Lease, List<Subject>> inside = new HashMap<>();
    private final Map<Subject, Integer> requested = new HashMap<>();
    private final Set<Subject> rated = new HashSet<>();
    private final Set<Subject> withoutStarts = new HashSet<>();
    private Set<Subject> limited = Set.of();

    /**
     * Kinds that may be claimed together, and the maximum number of jobs. As in a worker's {@code LocalLimits}, all parts except the first
     * claim from rows only.
     */
    record Part(List<String> kinds, int most, boolean ofRows) {}

    StepLimits(LimitSource source, long worker, ServerClock clock) {
        this.source = source;
        this.worker = worker;
        this.clock = clock;
    }

    void limited(Set<Subject> now) {
        limited = now;
    }

    private List<Subject> subjects(String queue, String kind) {
        return List.of(Subject.queue(queue), Subject.kind(kind)).stream()
                .filter(limited::contains)
                .toList();
    }

    /** Begins a claim, and forgets which subjects had no starts left in the previous claim. */
    void beginClaim() {
        withoutStarts.clear();
    }

    /** {@return how many subjects this claim has found to have no starts left} */
    int withoutStarts() {
        return withoutStarts.size();
    }

    /** {@return whether no limit applies to the jobs of a queue and some kinds} */
    boolean isFree(String queue, List<String> kinds) {
        return kinds.stream().allMatch(kind -> subjects(queue, kind).isEmpty());
    }

    /**
     * What to claim.
     *
     * @param most in total, as the queue allows
     */
    record Plan(int most, List<Part> parts) {}

    Plan plan(String queue, List<String> kinds, int limit) throws SQLException {
        int most = withoutStarts.contains(Subject.queue(queue)) ? 0 : room(Subject.queue(queue), limit);
        List<String> free = new ArrayList<>();
        Map<String, Integer> rooms = new HashMap<>();
        for (String kind : kinds) {
            boolean isLeftOut = most == 0 || withoutStarts.contains(Subject.kind(kind));
            int room = isLeftOut ? 0 : room(Subject.kind(kind), most);
            if (room >= most && most > 0) {
                free.add(kind);
            } else if (room > 0) {
                rooms.put(kind, room);
            }
        }
        List<Part> parts = new ArrayList<>();
        if (!free.isEmpty()) {
            parts.add(new Part(free, most, false));
        } else if (!rooms.isEmpty()) {
            parts.add(new Part(List.copyOf(rooms.keySet()), Collections.min(rooms.values()), false));
        }
        if (!free.isEmpty() || rooms.size() > 1) {
            rooms.forEach((kind, room) -> parts.add(new Part(List.of(kind), room, true)));
        }
        return new Plan(most, parts);
    }

    private int running(Subject subject) {
        return (int) inside.values().stream()
                .filter(subjects -> subjects.contains(subject))
                .count();
    }

    private int room(Subject subject, int most) throws SQLException {
        if (!limited.contains(subject)) {
            return most;
        }
        int running = running(subject);
        requested.put(subject, running + most);
        Allocation allocation =
                source.allocate(worker, new Request(subject, running + most, true, 0, 1), clock.latest());
        if (allocation.starts() == null) {
            rated.remove(subject);
        } else {
            rated.add(subject);
        }
        if (!allocation.limited()) {
            inside.values().forEach(subjects -> subjects.remove(subject)); // a limit that is set later counts anew
            return most;
        }
        if (!allocation.held().isZero()) {
            return 0;
        }
        Allocation.Permits permits = allocation.permits();
        return permits == null
                ? most
                : Math.max(0, Math.min(most, Math.min(permits.share(), permits.fair()) - running));
    }

    /** {@return whether a claimed job may start} If the job is rate-limited, this call uses up the starts that the job costs. */
    boolean enter(Job job, Lease lease) throws SQLException {
        List<Subject> subjects = new ArrayList<>(subjects(job.queue(), job.kind()));
        for (Subject subject : subjects.stream().filter(rated::contains).toList()) {
            int share = requested.getOrDefault(subject, 1);
            Allocation allocation =
                    source.allocate(worker, new Request(subject, share, true, job.cost(), job.cost()), clock.latest());
            Allocation.Starts starts = allocation.starts();
            if (starts != null && starts.now() < Math.min(job.cost(), starts.most())) {
                withoutStarts.add(subject);
                return false;
            }
        }
        if (!subjects.isEmpty()) {
            inside.put(lease, subjects);
        }
        return true;
    }

    void leave(Lease lease) {
        inside.remove(lease);
    }

    /** Reports that a run has ended without finding a dependency unavailable. */
    void available(Job job) throws SQLException {
        for (Subject subject : subjects(job.queue(), job.kind())) {
            source.available(subject);
        }
    }
}
