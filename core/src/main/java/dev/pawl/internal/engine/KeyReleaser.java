package dev.pawl.internal.engine;

import dev.pawl.internal.store.Grant;
import dev.pawl.internal.store.KeyTurns;
import dev.pawl.internal.store.KeyTurns.JobKey;
import dev.pawl.internal.wake.WakeHub;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes turns of keys: claims in them what may be claimed, and tells whom the rest concerns. Used by one thread. */
final class TurnTaker {
    private final KeyTurns turns;
    private final WakeHub wakes;
    private final BiConsumer<KeyTurns.LetGo, Integer> done;
    private final Consumer<List<JobKey>> failed;
    private final SideBySide sideBySide = new SideBySide();
    private volatile @Nullable TurnClaims claims;

    /**
     * @param done told of each turn that was taken, and of how many keys it was, before its jobs begin
     * @param failed told of the keys of those that were not
     */
    TurnTaker(KeyTurns turns, WakeHub wakes, BiConsumer<KeyTurns.LetGo, Integer> done, Consumer<List<JobKey>> failed) {
        this.turns = turns;
        this.wakes = wakes;
        this.done = done;
        this.failed = failed;
    }

    /** Before the first turn. */
    void claimBy(TurnClaims with) {
        claims = with;
    }

    /** Returns when all of them are taken. */
    void take(List<JobKey> keys) throws SQLException {
        if (turns.areQuickerSideBySide()) {
            sideBySide.take(keys, this::take);
        } else {
            take(keys, 1);
        }
    }

    private void take(List<JobKey> keys, int together) throws SQLException {
        TurnClaims with = claims;
        TurnClaims.Wanted wanted = with == null
                ? TurnClaims.Wanted.NOTHING
                : with.wanted(keys.stream().map(JobKey::queue).collect(Collectors.toSet()), together);
        List<Grant> claimed = List.of();
        try {
            KeyTurns.LetGo letGo = turns.letGo(keys, wanted.requests());
            claimed = letGo.claimed();
            if (!letGo.queues().isEmpty()) {
                wakes.enqueued(new HashSet<>(letGo.queues()));
            }
            done.accept(letGo, keys.size());
        } catch (SQLException | RuntimeException e) {
            failed.accept(keys);
            throw e;
        } finally {
            if (with != null) {
                with.take(wanted, claimed);
            }
        }
    }

    /** There are no more turns. */
    void end() {
        sideBySide.end();
    }
}
