package dev.pawl.dashboard.internal.snapshot;

import dev.pawl.admin.Choice;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.api.JobState;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses the job filter of a request's parameters. */
public final class Filters {
    /** Jobs per page. */
    public static final int PAGE = 50;

    /** The parameter that holds the whole filter in one line. */
    public static final String LINE = "q";

    private static final int MAX = 1_000;

    private Filters() {}

    /**
     * {@return the filter of the line in the parameter q ({@link FilterText}) and of the parameters state, queue, kind, notState, notQueue,
     * notKind (each may hold several values, with commas), uniqueKey, key, tag, text, from, until, before and limit}
     */
    public static JobFilter of(Call call) {
        JobFilter beside = beside(call);
        String line = call.parameter(LINE);
        return line == null ? beside : FilterText.parse(line, beside, Instant.now());
    }

    private static JobFilter beside(Call call) {
        Integer limit = call.small("limit");
        if (limit != null && (limit < 1 || limit > MAX)) {
            throw new Refusal(400, "limit " + limit + " is not valid: use 1 to " + MAX);
        }
        String before = call.parameter("before");
        JobFilter filter = JobFilter.ALL
                .states(choice(call, "state", Filters::state))
                .queues(choice(call, "queue", Function.identity()))
                .kinds(choice(call, "kind", Function.identity()))
                .uniqueKey(call.parameter("uniqueKey"))
                .key(call.parameter("key"))
                .tag(call.parameter("tag"))
                .text(call.parameter("text"))
                .createdFrom(call.moment("from"))
                .createdBefore(call.moment("until"))
                .limit(limit == null ? PAGE : limit);
        return before == null ? filter : filter.before(call.number("before").orElseThrow());
    }

    private static <T> Choice<T> choice(Call call, String name, Function<String, T> read) {
        return Choice.of(values(call, name, read)).without(values(call, not(name), read));
    }

    private static <T> List<T> values(Call call, String name, Function<String, T> read) {
        String all = call.parameter(name);
        if (all == null) {
            return List.of();
        }
        List<String> some = List.of(all.split(",", -1));
        if (some.size() > 1 && some.contains("")) {
            throw new Refusal(400, "'" + name + "' has an empty value between its commas: leave it out");
        }
        return some.stream().map(read).toList();
    }

    /** {@return the name of the parameter for excluded values} */
    private static String not(String name) {
        return "not" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static JobState state(String word) {
        try {
            return JobState.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    400,
                    "'" + word + "' is not a state: use available, blocked, pending, paused, running, completed,"
                            + " cancelled or discarded");
        }
    }

    /** {@return the parameters that make this filter, without {@code before} and {@code limit}} */
    public static Map<String, String> parameters(JobFilter filter) {
        Map<String, String> all = new LinkedHashMap<>();
        put(all, "state", filter.states());
        put(all, "queue", filter.queues());
        put(all, "kind", filter.kinds());
        put(all, "uniqueKey", filter.uniqueKey());
        put(all, "key", filter.key());
        put(all, "tag", filter.tag());
        put(all, "text", filter.text());
        put(all, "from", filter.createdFrom());
        put(all, "until", filter.createdBefore());
        return all;
    }

    private static void put(Map<String, String> all, String name, Choice<?> choice) {
        put(all, name, list(choice.any()));
        put(all, not(name), list(choice.none()));
    }

    private static @Nullable String list(Set<?> values) {
        return values.isEmpty()
                ? null
                : values.stream()
                        .map(value -> value instanceof JobState state
                                ? state.name().toLowerCase(Locale.ROOT)
                                : value.toString())
                        .collect(Collectors.joining(","));
    }

    private static void put(Map<String, String> all, String name, @Nullable Object value) {
        if (value != null) {
            all.put(name, value.toString());
        }
    }
}
