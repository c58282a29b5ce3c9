package dev.pawl.limit;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobType;
import java.util.Locale;
import java.util.Objects;

/**
 * What a limit is about: all jobs of a queue, or all jobs of a kind in whatever queue.
 *
 * @param of which of the two
 * @param name of the queue or kind
 */
public record Subject(Of of, String name) {
    /** What a limit can be about. */
    public enum Of {
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs of a kind. */
        KIND;

        /** {@return as it is written: {@code queue} or {@code kind}} */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * @param word as people write it
         * @return which it is
         * @throws InvalidJobException if it is neither
         */
        public static Of parse(String word) {
            return switch (word) {
                case "queue" -> QUEUE;
                case "kind" -> KIND;
                default -> throw new InvalidJobException(
                        "a limit is about a 'queue' or about a 'kind', not about a '" + word + "'");
            };
        }
    }

    /**
     * @throws InvalidJobException if the name is not valid
     */
    public Subject {
        Objects.requireNonNull(of, "of");
        if (of == Of.QUEUE) {
            EnqueueOptions.DEFAULTS.queue(name); // checks the name
        } else {
            JobType.of(name, String.class);
        }
    }

    /**
     * @param name of a queue
     * @return its jobs
     * @throws InvalidJobException if the name is not valid
     */
    public static Subject queue(String name) {
        return new Subject(Of.QUEUE, name);
    }

    /**
     * @param name of a kind
     * @return its jobs
     * @throws InvalidJobException if the name is not valid
     */
    public static Subject kind(String name) {
        return new Subject(Of.KIND, name);
    }

    /** {@return {@code queue mail} or {@code kind send}} */
    @Override
    public String toString() {
        return of.word() + " " + name;
    }
}
