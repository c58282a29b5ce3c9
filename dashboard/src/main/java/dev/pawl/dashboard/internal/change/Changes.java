package dev.pawl.dashboard.internal.change;

import dev.pawl.InvalidJobException;
import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.look.Filters;
import dev.pawl.dashboard.internal.look.Looks;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Cookies;
import dev.pawl.dashboard.internal.web.Door;
import dev.pawl.dashboard.internal.web.Routes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every change its two paths: one for forms, which leads back to their page, and one of the API. Each is recorded in the
 * log {@code dev.pawl.dashboard.audit}: who, what, and what came of it.
 */
public final class Changes {
    private static final Logger AUDIT = LoggerFactory.getLogger("dev.pawl.dashboard.audit");
    private static final int LONGEST_SAID = 600;
    private static final int LONGEST_RESULT = 300;
    private static final int LONGEST_NAME = 40;
    private static final int LONGEST_VALUE = 200;
    private static final Set<String> UNRECORDED =
            Set.of("csrf", "back", "payload", "value", "text", "shown", "shownPriority");

    private final Routes routes;
    private final Looks looks;

    /**
     * @param routes to add to
     * @param looks to be taken anew after a change
     */
    public Changes(Routes routes, Looks looks) {
        this.routes = routes;
        this.looks = looks;
    }

    void add(String path, Change change) {
        routes.post(path, call -> back(call, done(path, call, change)));
        routes.post("/api" + path, call -> {
            Done done = done(path, call, change);
            Map<String, @Nullable Object> json = new LinkedHashMap<>(done.json());
            json.put(done.isDone() ? "message" : "error", done.message());
            return Response.text(done.status(), "application/json", Json.write(json));
        });
    }

    /** What is wrong with the line of a filter is said with a piece of it, which may be one of payloads. */
    private static @Nullable String why(Call call, RuntimeException failure) {
        return failure instanceof InvalidJobException && call.parameter(Filters.LINE) != null
                ? "the filter, or the change, is malformed"
                : failure.getMessage();
    }

    private Done done(String path, Call call, Change change) {
        try {
            Done done = change.apply(call);
            record(path, call, done.message());
            return done;
        } catch (RuntimeException e) {
            record(path, call, "failed: " + why(call, e));
            throw e;
        } finally {
            looks.changed();
        }
    }

    /** Records what somebody wanted to change and was not let. */
    public static void refused(Call call, String why) {
        record(call.request().path(), call, "refused: " + why);
    }

    private static void record(String path, Call call, String result) {
        AUDIT.info(
                "{}: {} {}: {}",
                call.viewer().name(),
                path.replace("{id}", Long.toString(call.id())),
                what(call.parameters()),
                line(result, LONGEST_RESULT));
    }

    /**
     * Without payloads, which may hold what does not belong in a log. Each parameter is cut by itself: a long one that nobody
     * asked for must not hide the others.
     */
    static String what(Map<String, String> parameters) {
        Map<String, String> what = new TreeMap<>();
        parameters.forEach((name, value) -> {
            if (!UNRECORDED.contains(name)) {
                what.put(
                        line(name, LONGEST_NAME),
                        line(name.equals(Filters.LINE) ? withoutText(value) : value, LONGEST_VALUE));
            }
        });
        return what.toString();
    }

    /** What is looked for in payloads may be a part of one. A line that cannot be read may hold it anywhere. */
    private static String withoutText(String line) {
        try {
            JobFilter filter = FilterText.parse(line, JobFilter.ALL, Instant.now());
            return FilterText.of(filter.text() == null ? filter : filter.text("…"));
        } catch (InvalidJobException e) {
            return "malformed";
        }
    }

    /** On one line, whatever reads the log: without controls, marks of direction, and the line ends of Unicode. */
    private static String line(String text, int longest) {
        String line = text.length() > longest ? text.substring(0, longest) + "…" : text;
        return line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    private static Response back(Call call, Done done) {
        String page = Objects.requireNonNullElse(done.goTo(), Objects.requireNonNullElse(call.parameter("back"), "/"));
        // A path of ours and nothing else: neither another site (//site, /\site) nor another header.
        boolean isOurs =
                page.matches("/[A-Za-z0-9._~%+&=?,:@!$'()*;/-]*(#[A-Za-z0-9._~%+*-]*)?") && !page.startsWith("//");
        String location = call.request().prefix() + (isOurs ? page : "/");
        // A script that has sent the form goes there itself, so that it can stay if there is a mistake.
        boolean byScript = call.request().header("pawl-form") != null;
        Response response = byScript
                ? new Response(204, List.of(Map.entry("Pawl-Location", location)), new byte[0])
                : new Response(303, List.of(Map.entry("Location", location)), new byte[0]);
        String said = (done.isDone() ? "+" : "-") + done.message();
        return Cookies.set(
                response,
                call.request(),
                Door.SAID,
                said.length() > LONGEST_SAID ? said.substring(0, LONGEST_SAID) : said,
                60);
    }
}
