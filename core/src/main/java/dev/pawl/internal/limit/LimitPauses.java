package dev.pawl.internal.limit;

import dev.pawl.internal.feature.ClaimPauses;
import dev.pawl.internal.jdbc.Dialect;

/** Keeps claims from jobs of paused queues and kinds. */
record LimitPauses(Dialect dialect) implements ClaimPauses {
    @Override
    public String none(Of subject, String name) {
        String of = subject == Of.QUEUE ? "queue" : "kind";
        return name + " NOT IN (SELECT h.name FROM pawl_limit h WHERE h.subject = '" + of + "' AND h.paused_until > "
                + dialect.now() + ")";
    }

    @Override
    public String pausedKinds(String names) {
        return "(SELECT COUNT(*) FROM pawl_limit f WHERE f.subject = 'kind' AND f.paused_until > " + dialect.now()
                + " AND f.name IN " + names + ")";
    }
}
