package dev.pawl.specification;

import static dev.pawl.specification.Difference.same;

import dev.pawl.admin.RetentionRule;
import dev.pawl.api.Retention;
import dev.pawl.limit.Subject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** How long finished jobs are kept: by the rule of their kind, else of their queue, else by the default. */
final class ModelRetention {
    private Map<Subject, RetentionRule> rules = new HashMap<>();

    ModelRetention copy() {
        ModelRetention copy = new ModelRetention();
        copy.rules = new HashMap<>(rules);
        return copy;
    }

    void set(RetentionRule rule) {
        rules.put(rule.subject(), rule);
    }

    void clear(Subject subject, boolean cleared) {
        same("rule of " + subject + " removed", rules.remove(subject) != null, cleared);
    }

    void compare(List<RetentionRule> seen) {
        same("retentions", Set.copyOf(rules.values()), Set.copyOf(seen));
    }

    /** {@return how long a finished job is kept} */
    Duration of(Spec job) {
        for (Subject subject : List.of(Subject.kind(job.kind), Subject.queue(job.queue))) {
            RetentionRule rule = rules.get(subject);
            Duration own = rule == null ? null : rule.of(job.state);
            if (own != null) {
                return own;
            }
        }
        return Objects.requireNonNull(
                switch (job.state) {
                    case COMPLETED -> Retention.DEFAULTS.completed();
                    case CANCELLED -> Retention.DEFAULTS.cancelled();
                    case DISCARDED -> Retention.DEFAULTS.discarded();
                    default -> null;
                },
                "a job that has not ended");
    }
}
