package dev.pawl.dashboard.internal.change;

import dev.pawl.admin.FilterText;
import dev.pawl.admin.JobFilter;
import dev.pawl.dashboard.Response;
import dev.pawl.dashboard.internal.json.Json;
import dev.pawl.dashboard.internal.snapshot.Filters;
import dev.pawl.dashboard.internal.snapshot.Snapshots;
import dev.pawl.dashboard.internal.web.Call;
import dev.pawl.dashboard.internal.web.Cookies;
import dev.pawl.dashboard.internal.web.Databases;
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
 * Registers two routes for each change: one for forms, which redirects to the form's page, and one for the API. Each
 * change is recorded in the log {@code dev.pawl.dashboard.audit}: user, change and result.
 */
public final class Changes {
    private static final Logger AUDIT = LoggerFactory.getLogger("dev.pawl.dashboard.audit");
    private static final int LONGEST_MESSAGE = 600;
    private static final int LONGEST_RESULT = 300;
    private static final int LONGEST_NAME = 40;
    private static final int LONGEST_VALUE = 200;
    private static final Set<String> UNRECORDED =
            Set.of("csrf", "back", "payload", "value", "text", "shown", "shownPriority");

    private final Routes routes;
    private final Snapshots snapshots;
    private final Databases databases;

    /**
     * @param routes to add to
     * @param snapshots to be refreshed after a change
     * @param databases names the changed database, whose part of the path is logged
     */
    public Changes(Routes routes, Snapshots snapshots, Databases databases) {
        this.routes = routes;
        this.snapshots = snapshots;
        this.databases = databases;
    }

    void add(String path, Change change) {
        routes.post(path, call -> redirect(call, apply(path, call, change)));
        routes.post("/api" + path, call -> {
            ChangeResponse done = apply(path, call, change);
            Map<String, @Nullable Object> json = new LinkedHashMap<>(done.json());
            json.put(done.isDone() ? "message" : "error", done.message());
            return Response.text(done.status(), "application/json", Json.write(json));
        });
    }

    /** Omits the reason for an invalid filter, because it quotes the filter's text, which may be part of a payload. */
    private static @Nullable String why(Call call, RuntimeException failure) {
        return failure instanceof IllegalArgumentException && call.parameter(Filters.LINE) != null
                ? "the filter, or the change, is malformed"
                : failure.getMessage();
    }

    private ChangeResponse apply(String path, Call call, Change change) {
        try {
            ChangeResponse done = change.apply(call);
            record(path, call, done.message());
            return done;
        } catch (RuntimeException e) {
            record(path, call, "failed: " + why(call, e));
            throw e;
        } finally {
            snapshots.changed();
        }
    }

    /** Records a refused change. */
    public void refused(Call call, String why) {
        record(call.request().path(), call, "refused: " + why);
    }

    private void record(String path, Call call, String result) {
        AUDIT.info(
                "{}: {} {}: {}",
                call.viewer().name(),
                databases.mount() + path.replace("{id}", Long.toString(call.id())),
                what(call.parameters()),
                line(result, LONGEST_RESULT));
    }

    /**
     * Formats parameters without payloads, which do not belong in a log. Each parameter is truncated by itself: a long
     * one that the change does not use must not hide the others.
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

    /**
     * Removes the text that a filter searches for in payloads, because it may be part of one. A malformed filter is
     * replaced as a whole, because the text may be anywhere in it.
     */
    private static String withoutText(String line) {
        try {
            JobFilter filter = FilterText.parse(line, JobFilter.ALL, Instant.now());
            return FilterText.of(filter.text() == null ? filter : filter.text("…"));
        } catch (IllegalArgumentException e) {
            return "malformed";
        }
    }

    /** Returns one line for any log reader: without control characters, bidirectional marks and Unicode line ends. */
    private static String line(String text, int longest) {
        String line = text.length() > longest ? text.substring(0, longest) + "…" : text;
        return line.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
    }

    private Response redirect(Call call, ChangeResponse done) {
        String location = call.request().prefix() + Objects.requireNonNullElseGet(done.goTo(), call::back);
        // A script that sent the form navigates by itself, so that it can stay on the page after a mistake.
        boolean byScript = call.request().header("pawl-form") != null;
        Response response = byScript
                ? new Response(204, List.of(Map.entry("Pawl-Location", location)), new byte[0])
                : new Response(303, List.of(Map.entry("Location", location)), new byte[0]);
        String message = (done.isDone() ? "+" : "-") + done.message();
        return Cookies.set(
                response,
                call.request(),
                call.request().prefix(),
                databases.messageCookie(),
                message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message,
                60);
    }
}
