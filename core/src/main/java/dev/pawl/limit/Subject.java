package dev.pawl.limit;

import dev.pawl.EnqueueOptions;
import dev.pawl.InvalidJobException;
import dev.pawl.JobType;
import java.util.Locale;
import java.util.Objects;

/**
 * What a limit, or a retention, is about: all jobs of a queue, all jobs of a kind in whatever queue, or the jobs of each key of a queue.
 *
 * @param of which of these
 * @param name of the queue or kind
 */
public record Subject(Of of, String name) {
    /** What it can be about. */
    public enum Of {
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs of a kind. */
        KIND,
        /** The jobs of each key of a queue, see {@link EnqueueOptions#key}. */
        KEYS;

        /** {@return as it is written: {@code queue}, {@code kind} or {@code keys}} */
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
                case "keys" -> KEYS;
                default ->
                    throw new InvalidJobException(
                            "a limit is about a 'queue', about a 'kind' or about the 'keys' of a queue, not about '"
                                    + word + "'");
            };
        }
    }

    /**
     * @throws InvalidJobException if the name is not valid
     */
    public Subject {
        Objects.requireNonNull(of, "of");
        if (of != Of.KIND) {
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

    /**
     * @param queue of the jobs
     * @return the jobs of each of its keys
     * @throws InvalidJobException if the name is not valid
     */
    public static Subject keysOf(String queue) {
        return new Subject(Of.KEYS, queue);
    }

    /** {@return {@code queue mail}, {@code kind send} or {@code keys mail}} */
    @Override
    public String toString() {
        return of.word() + " " + name;
    }
}
