package dev.pawl.internal.key;

import dev.pawl.internal.claim.ClaimById;
import dev.pawl.internal.store.ClaimRequest;
import dev.pawl.internal.store.Grant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Releases blocked jobs: claims as many as the releasing worker wants, and makes the other jobs available. */
final class Release {
    private final KeyRows rows;
    private final String queue;
    private final @Nullable ClaimById claim;
    private final @Nullable ClaimRequest wanted;
    private final List<Grant> claimed = new ArrayList<>();
    private final Set<Long> locked = new HashSet<>();
    private final Set<Long> early = new HashSet<>();
    private boolean moreToClaim;

    Release(KeyRows rows, String queue, @Nullable ClaimById claim, @Nullable ClaimRequest wanted) {
        this.rows = rows;
        this.queue = queue;
        this.claim = claim;
        this.wanted = wanted;
    }

    /**
     * @param ids of blocked jobs
     * @param live gets the jobs that are in flight now, for the caller to record
     * @return the jobs that were cancelled or otherwise finished on request while they were blocked
     */
    List<Long> release(Connection connection, List<Long> ids, Set<Long> live) throws SQLException {
        List<Long> gone = claim(connection, ids);
        live.addAll(gone);
        List<Long> rest = ids;
        if (!gone.isEmpty()) {
            Set<Long> ours = new HashSet<>(gone);
            rest = ids.stream().filter(id -> !ours.contains(id)).toList();
        }
        List<Long> ended = List.of();
        if (!rest.isEmpty()) {
            KeyRows.ReleaseResult result = rows.release(connection, queue, rest);
            live.addAll(result.live());
            locked.addAll(result.locked());
            early.addAll(result.early());
            moreToClaim |= !result.live().isEmpty();
            ended = result.ended();
        }
        return ended;
    }

    private List<Long> claim(Connection connection, List<Long> ids) throws SQLException {
        int room = wanted == null ? 0 : wanted.limit() - claimed.size();
        if (claim == null || wanted == null || room <= 0) {
            return List.of();
        }
        List<Grant> grants =
                claim.claim(connection, wanted.withLimit(room), ids.size() <= room ? ids : ids.subList(0, room));
        claimed.addAll(grants);
        return grants.stream().map(grant -> grant.job().id()).toList();
    }

    /** {@return the claimed jobs} */
    List<Grant> claimed() {
        return claimed;
    }

    /** {@return whether some jobs were made available} */
    boolean isMoreToClaim() {
        return moreToClaim;
    }

    /** {@return whether a job is in flight because it was run on request, before its release} */
    boolean isEarly(long id) {
        return early.contains(id);
    }

    /** {@return whether a job was due for release, but another transaction has locked its row} */
    boolean isLocked(long id) {
        return locked.contains(id);
    }
}
