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
 * A request whose sender is known.
 *
 * @param request as it came
 * @param viewer who sends it
 * @param id the number in the path; 0 if there is none
 * @param csrf what every form for changes must hold
 * @param said what the last change has said, to be shown once; null for nothing
 * @param parameters of the URL and, if the body is a form, of the body; empty ones left out
 */
public record Call(
        Request request,
        Viewer viewer,
        long id,
        String csrf,
        @Nullable String said,
        Map<String, String> parameters) {
    private static final String FORM = "application/x-www-form-urlencoded";

    static Call of(Request request, Viewer viewer, long id, String csrf, @Nullable String said) {
        Map<String, String> all = new LinkedHashMap<>(Form.parse(request.query()));
        if (isForm(request)) {
            all.putAll(Form.parse(new String(request.body(), StandardCharsets.UTF_8)));
        }
        all.values().removeIf(String::isEmpty);
        return new Call(request, viewer, id, csrf, said, Map.copyOf(all));
    }

    private static boolean isForm(Request request) {
        String type = request.header("content-type");
        return type != null && type.toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    /** {@return whether the body is a form, and not something to be taken as it is} */
    public boolean isForm() {
        return isForm(request);
    }

    /** {@return the value of a parameter; null if it is not given, or empty} */
    public @Nullable String parameter(String name) {
        return parameters.get(name);
    }

    /** {@return whether all jobs are to be counted, however many there are: for requests of our own pages, and of programs} */
    public boolean countsExactly() {
        return "true".equals(parameters.get("exact")) || "exact".equals(parameters.get("count"));
    }

    /** {@return the value of a parameter that must be there} */
    public String required(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw Refusal.ofField(name, "the parameter '" + name + "' is missing");
        }
        return value;
    }

    /** {@return the value of a parameter, with the end of lines that forms make undone} */
    public @Nullable String lines(String name) {
        String value = parameters.get(name);
        return value == null ? null : value.replace("\r\n", "\n");
    }

    /** {@return a whole number; empty if it is not given} */
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

    /** {@return a number that fits; null if it is not given} */
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

    /** {@return a moment; null if it is not given} */
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
