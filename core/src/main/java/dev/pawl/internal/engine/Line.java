package dev.pawl.internal.engine;

import dev.pawl.internal.quota.Gate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What jobs wait for together.
 *
 * @param gate what they must pass; null for nothing
 * @param weight of each
 * @param chunk how many of them go together; null if each goes alone
 */
record Line(@Nullable Gate gate, int weight, @Nullable Chunking chunk) {
    boolean is(@Nullable Gate ofGate, int ofWeight, @Nullable Chunking ofChunk) {
        return gate == ofGate && weight == ofWeight && Objects.equals(chunk, ofChunk);
    }

    /** {@return whether jobs need nothing but a handler} */
    boolean isFree() {
        return is(null, 1, null);
    }

    /** {@return the places of so many} */
    int places(int jobs, int needs) {
        return chunk == null || needs == 1 ? jobs * needs : (jobs + chunk.size() - 1) / chunk.size() * needs;
    }

    /** {@return how many like that one, its first, may enter} */
    int free(HeldJob first) {
        return gate == null ? Integer.MAX_VALUE : gate.free(first.cost());
    }

    /** {@return how many like that one may enter in the next moment, so that it is worth while to wait for them} */
    int near(HeldJob first) {
        return gate == null ? Integer.MAX_VALUE : gate.near(first.cost());
    }

    /** {@return what the job costs for which several starts were dealt together, so that it goes first; 1 if there is none} */
    int dear() {
        return gate == null ? 1 : gate.dear();
    }

    int soon() {
        return gate == null ? Integer.MAX_VALUE : gate.soon();
    }

    boolean isShut() {
        return gate != null && gate.isShut();
    }

    void waitsNoMore(HeldJob job) {
        if (gate != null) {
            gate.waitsNoMore(job.cost());
        }
    }

    boolean enters(HeldJob job) {
        if (gate == null) {
            return true;
        }
        long startEnd = gate.enter(job.cost());
        if (startEnd == Gate.REFUSED) {
            return false;
        }
        job.entered(gate, startEnd);
        return true;
    }
}
