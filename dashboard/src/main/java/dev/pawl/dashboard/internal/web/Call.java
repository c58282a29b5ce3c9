package dev.pawl.dashboard.internal.web;

import dev.pawl.dashboard.Request;
import dev.pawl.dashboard.Viewer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated request.
 *
 * @param request as received
 * @param viewer the sender
 * @param id the number in the path; 0 if there is none
 * @param csrf the token that every form for changes must contain
 * @param flash the message of the last change, to be shown once; null for none
 * @param parameters of the URL and, if the body is a form, of the body; without empty ones
 */
public record Call(
        Request request,
        Viewer viewer,
        long id,
        String csrf,
        @Nullable String flash,
        Map<String, String> parameters) {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String PAGE = "/[A-Za-z0-9._~%+&=?,:@!$'()*;/-]*(#[A-Za-z0-9._~%+*-]*)?";

    static Call of(Request request, Viewer viewer, long id, String csrf, @Nullable String flash) {
        Map<String, String> all = new LinkedHashMap<>(Form.parse(request.query()));
        if (isForm(request)) {
            all.putAll(Form.parse(new String(request.body(), StandardCharsets.UTF_8)));
        }
        all.values().removeIf(String::isEmpty);
        return new Call(request, viewer, id, csrf, flash, Map.copyOf(all));
    }

    private static boolean isForm(Request request) {
        String type = request.header("content-type");
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    /** {@return whether the body is a form rather than a raw value} */
    public boolean isForm() {
        return isForm(request);
    }

    /** {@return the value of a parameter; null if it is missing or empty} */
    public @Nullable String parameter(String name) {
        return parameters.get(name);
    }

    /**
     * {@return whether to count all jobs, without a limit; the dashboard's pages request that with {@code count}, programs with {@code
     * exact}}
     */
    public boolean countsExactly() {
        return countsExactly(parameters);
    }

    static boolean countsExactly(Map<String, String> parameters) {
        return "true".equals(parameters.get("exact")) || "exact".equals(parameters.get("count"));
    }

    /** {@return the page of the dashboard to return to; the overview if there is none} */
    public String back() {
        String page = parameters.getOrDefault("back", "/");
        // A local path: neither another site (//site, /\site) nor an injected header.
        return page.matches(PAGE) && !page.startsWith("//") ? page : "/";
    }

    /** {@return the value of a mandatory parameter} */
    public String required(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw Refusal.ofField(name, "the parameter '" + name + "' is missing");
        }
        return value;
    }

    /** {@return the value of a parameter, with the line ends of forms normalised} */
    public @Nullable String lines(String name) {
        String value = parameters.get(name);
        return value == null ? null : value.replace("\r\n", "\n");
    }

    /** {@return an integer; empty if it is missing} */
    public OptionalLong number(String name) {
        String value = parameters.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(value.strip()));
        } catch (NumberFormatException e) {
            throw Refusal.ofField(name, "'" + name + "' is not a whole number");
        }
    }

    /** {@return an integer in the range of int; null if it is missing} */
    public @Nullable Integer small(String name) {
        OptionalLong value = number(name);
        if (value.isEmpty()) {
            return null;
        }
        if (value.getAsLong() != (int) value.getAsLong()) {
            throw Refusal.ofField(name, "'" + name + "' is too large a number");
        }
        return (int) value.getAsLong();
    }

    /** {@return a moment; null if it is missing} */
    public @Nullable Instant moment(String name) {
        String value = parameters.get(name);
        if (value == null) {
            return null;
        }
        try {
            return Instant.parse(value.strip());
        } catch (DateTimeParseException e) {
            throw Refusal.ofField(name, "'" + name + "' is not a time: write it like 2030-01-31T08:00:00Z");
        }
    }
}
