package dev.pawl.internal.retention;

import dev.pawl.admin.RetentionRule;
import dev.pawl.api.JobState;
import dev.pawl.api.Retention;
import dev.pawl.internal.place.RetentionTerms;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules that determine how long a job is kept: the rule of its kind, else of its queue, else the retention of all
 * jobs.
 *
 * @param all the program's retention of all jobs
 * @param list the database's rules for queues and kinds
 */
record Rules(Retention all, List<RetentionRule> list) {
    Rules {
        list = list.stream() // independent of the order in which they were read
                .sorted(Comparator.comparing(rule -> rule.subject().toString()))
                .toList();
    }

    /** {@return the retentions of queues or kinds for a state, by name} */
    Map<String, Duration> of(Subject.Of subject, JobState state) {
        Map<String, Duration> retentions = new HashMap<>();
        for (RetentionRule rule : list) {
            Duration keep = rule.of(state);
            if (rule.subject().of() == subject && keep != null) {
                retentions.put(rule.subject().name(), keep);
            }
        }
        return retentions;
    }

    boolean say(JobState state) {
        return list.stream().anyMatch(rule -> rule.of(state) != null);
    }

    Duration ofAll(JobState state) {
        return switch (state) {
            case COMPLETED -> all.completed();
            case CANCELLED -> all.cancelled();
            default -> all.discarded();
        };
    }

    /** The rules for one state. */
    record OfState(Map<String, Duration> kinds, Map<String, Duration> queues, Duration others) {
        Duration keep(String queue, String kind) {
            Duration own = kinds.get(kind);
            return own != null ? own : ofQueue(queue);
        }

        Duration ofQueue(String queue) {
            return queues.getOrDefault(queue, others);
        }

        boolean isOwn(String queue, String kind) {
            return kinds.containsKey(kind) || queues.containsKey(queue);
        }

        /** {@return all retention lengths, the shortest first} */
        SortedSet<Duration> lengths() {
            SortedSet<Duration> lengths = new TreeSet<>(kinds.values());
            lengths.addAll(queues.values());
            lengths.add(others);
            return lengths;
        }
    }

    OfState of(JobState state) {
        return new OfState(of(Subject.Of.KIND, state), of(Subject.Of.QUEUE, state), ofAll(state));
    }

    /** {@return the longest retention of each state: older jobs are deleted everywhere} */
    Retention longest() {
        return all.completed(of(JobState.COMPLETED).lengths().last())
                .cancelled(of(JobState.CANCELLED).lengths().last())
                .discarded(of(JobState.DISCARDED).lengths().last());
    }

    /** {@return how long completed jobs of a queue are kept in places without rows} */
    RetentionTerms terms(String queue, Instant now) {
        OfState completed = of(JobState.COMPLETED);
        Duration keep = completed.ofQueue(queue);
        Set<String> longer = new HashSet<>();
        SortedMap<Duration, Set<String>> shorter = new TreeMap<>();
        completed.kinds.forEach((kind, own) -> {
            if (own.compareTo(keep) > 0) {
                longer.add(kind);
            } else if (own.compareTo(keep) < 0) {
                shorter.computeIfAbsent(own, length -> new HashSet<>()).add(kind);
            }
        });
        List<RetentionTerms.Shorter> terms = new ArrayList<>();
        shorter.forEach((length, kinds) -> terms.add(new RetentionTerms.Shorter(length, now.minus(length), kinds)));
        return new RetentionTerms(now.minus(keep), longer, terms);
    }

    /** {@return the terms if only a certain number of jobs is kept; null for a queue with a retention of its own} */
    @Nullable
    RetentionTerms termsUpTo(String queue, Instant last) {
        OfState completed = of(JobState.COMPLETED);
        return completed.queues.containsKey(queue)
                ? null
                : new RetentionTerms(last, completed.kinds.keySet(), List.of());
    }
}
