package dev.pawl.dashboard.internal.look;

import dev.pawl.JobState;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Refusal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which jobs a page or a call is about, as its parameters say. */
public final class Filters {
    /** On one page. */
    public static final int PAGE = 50;

    /** The parameter that holds all of it in one line. */
    public static final String LINE = "q";

    private static final int MOST = 1_000;

    private Filters() {}

    /**
     * {@return the filter of the line in the parameter q ({@link FilterText}) and of the parameters state, queue, kind, uniqueKey, key,
     * tag, text, from, until, before and limit}
     */
    public static JobFilter of(Call call) {
        JobFilter beside = beside(call);
        String line = call.parameter(LINE);
        return line == null ? beside : FilterText.parse(line, beside, Instant.now());
    }

    private static JobFilter beside(Call call) {
        Integer limit = call.small("limit");
        if (limit != null && (limit < 1 || limit > MOST)) {
            throw new Refusal(400, "limit " + limit + " is not valid: use 1 to " + MOST);
        }
        String before = call.parameter("before");
        return new JobFilter(
                state(call.parameter("state")),
                call.parameter("queue"),
                call.parameter("kind"),
                call.parameter("uniqueKey"),
                call.parameter("key"),
                call.parameter("tag"),
                call.parameter("text"),
                call.moment("from"),
                call.moment("until"),
                null,
                before == null ? null : call.number("before").orElseThrow(),
                limit == null ? PAGE : limit);
    }

    private static @Nullable JobState state(@Nullable String word) {
        if (word == null) {
            return null;
        }
        try {
            return JobState.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Refusal(
                    400, "'" + word + "' is not a state: use available, running, completed, cancelled or discarded");
        }
    }

    /** {@return the parameters that make this filter, without its page} */
    public static Map<String, String> parameters(JobFilter filter) {
        Map<String, String> all = new LinkedHashMap<>();
        JobState state = filter.state();
        put(all, "state", state == null ? null : state.name().toLowerCase(Locale.ROOT));
        put(all, "queue", filter.queue());
        put(all, "kind", filter.kind());
        put(all, "uniqueKey", filter.uniqueKey());
        put(all, "key", filter.key());
        put(all, "tag", filter.tag());
        put(all, "text", filter.text());
        put(all, "from", filter.createdFrom());
        put(all, "until", filter.createdBefore());
        return all;
    }

    private static void put(Map<String, String> all, String name, @Nullable Object value) {
        if (value != null) {
            all.put(name, value.toString());
        }
    }
}
