package dev.pawl.internal.batch;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.InvalidJobException;
import dev.pawl.api.JobRequest;
import dev.pawl.internal.codec.JsonStrings;
import dev.pawl.internal.enqueue.OwnOptions;
import dev.pawl.internal.words.ReservedHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The text form of a job that will be enqueued later. */
public final class Callback {
    private static final String TAG = "tag ";
    private static final String HEADER = "header ";

    private Callback() {}

    /**
     * @param job with no other options than a queue, a priority, attempts, a timeout, a retry policy, tags and headers
     * @return its text
     * @throws InvalidJobException if it has other options
     */
    public static String write(JobRequest job) {
        EnqueueOptions options = job.options();
        if (options.uniqueKey() != null
                || options.availableAt() != null
                || !options.delay().equals(Duration.ZERO)
                || options.key() != null
                || options.cost() != 1
                || options.expiresAt() != null
                || options.expiresIn() != null
                || OwnOptions.batch(options) != 0) {
            throw new InvalidJobException("the callback of kind '" + job.kind()
                    + "' has more options than a queue, a priority, attempts, a timeout, a retry policy, tags and"
                    + " headers: let its handler enqueue a job with the others");
        }
        requireRoom(options);
        Map<String, String> text = new HashMap<>();
        text.put("kind", job.kind());
        text.put("payload", job.payload());
        text.put("queue", options.queue());
        text.put("priority", Integer.toString(options.priority()));
        text.put("maxAttempts", Integer.toString(options.maxAttempts()));
        options.tags().forEach(tag -> text.put(TAG + tag, ""));
        options.headers().forEach((name, value) -> text.put(HEADER + name, value));
        return JsonStrings.write(text);
    }

    /** Refuses headers that would leave no room for the id of the batch, with which the callback is enqueued. */
    private static void requireRoom(EnqueueOptions options) {
        EnqueueOptions unused = OwnOptions.header(options, ReservedHeaders.CALLBACK_OF, Long.toString(Long.MAX_VALUE));
    }

    static JobRequest read(String text) {
        Map<String, String> read = JsonStrings.readMap(text);
        return new JobRequest(
                read.getOrDefault("kind", ""),
                read.getOrDefault("payload", ""),
                EnqueueOptions.DEFAULTS
                        .queue(read.getOrDefault("queue", "default"))
                        .priority(Integer.parseInt(read.getOrDefault("priority", "0")))
                        .maxAttempts(Integer.parseInt(read.getOrDefault("maxAttempts", "20")))
                        .tags(with(TAG, read).keySet().toArray(String[]::new))
                        .headers(with(HEADER, read)));
    }

    /** {@return the entries whose names start with the beginning, by the rest of the name} */
    private static SortedMap<String, String> with(String beginning, Map<String, String> read) {
        SortedMap<String, String> found = new TreeMap<>();
        read.forEach((name, value) -> {
            if (name.startsWith(beginning)) {
                found.put(name.substring(beginning.length()), value);
            }
        });
        return found;
    }
}
