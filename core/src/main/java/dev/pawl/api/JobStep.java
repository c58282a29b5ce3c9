package dev.pawl.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored step of a job, see {@link RunSteps}.
 *
 * @param kind step, signal or sleep
 * @param name given by the program
 * @param state waiting, done or given up
 * @param value as the codec wrote it; null if it has none
 * @param at when it was written last
 * @param until when the wait ends; null if there is no end
 */
public record JobStep(
        Kind kind,
        String name,
        State state,
        @Nullable String value,
        Instant at,
        @Nullable Instant until) {
    /** What was stored. */
    public enum Kind {
        /** Work that is done once. */
        STEP(0),
        /** A signal that another process sends to the job. */
        SIGNAL(1),
        /** A sleep of a given duration. */
        SLEEP(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** {@return the code stored in the database} */
        public int code() {
            return code;
        }
    }

    /** How far the step is. */
    public enum State {
        /** The job waits for it. */
        WAITING(0),
        /** The work is done, the signal has arrived, or the sleep has ended. */
        DONE(1),
        /** The timeout has passed before the signal arrived. */
        GIVEN_UP(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** {@return the code stored in the database} */
        public int code() {
            return code;
        }
    }
}
