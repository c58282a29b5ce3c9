package dev.pawl;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a job remembers of its runs, see {@link RunSteps}.
 *
 * @param kind of what
 * @param name given by the program
 * @param state of it
 * @param value as the codec wrote it; null if it has none
 * @param at when it was written last
 * @param until how long it waits; null if it does not
 */
public record JobStep(
        Kind kind,
        String name,
        State state,
        @Nullable String value,
        Instant at,
        @Nullable Instant until) {
    /** Of what. */
    public enum Kind {
        /** Work that is done once. */
        STEP(0),
        /** Something that others tell the job. */
        SIGNAL(1),
        /** A rest. */
        SLEEP(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** {@return the number that stands for it in the database} */
        public int code() {
            return code;
        }
    }

    /** Of it. */
    public enum State {
        /** The job waits for it. */
        WAITING(0),
        /** It is done, or has come. */
        DONE(1),
        /** The job has waited for it in vain. */
        GIVEN_UP(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        /** {@return the number that stands for it in the database} */
        public int code() {
            return code;
        }
    }
}
