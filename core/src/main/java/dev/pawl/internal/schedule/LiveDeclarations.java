package dev.pawl.internal.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The schedules that live workers declare, and their forms ({@link ScheduleForms}). If workers declare different forms of a schedule, the
 * newest form is in force. The age of a form counts from the start of the first live worker that declares it. So if a worker of an old
 * release restarts while other workers of the old release are still running, the old form does not come into force again.
 */
final class LiveDeclarations {
    /** By name and form: the start of the first live worker that declares the form. */
    private final Map<String, Map<String, Long>> since = new HashMap<>();

    void add(long startedAt, Map<String, String> forms) {
        forms.forEach((name, form) ->
                since.computeIfAbsent(name, any -> new HashMap<>()).merge(form, startedAt, Math::min));
    }

    Set<String> names() {
        return since.keySet();
    }

    boolean has(String name) {
        return since.containsKey(name);
    }

    /** {@return whether a live worker declares the schedule in this form, as far as this program can compare} */
    boolean has(String name, String form) {
        return since.getOrDefault(name, Map.of()).keySet().stream().anyMatch(each -> ScheduleForms.same(each, form));
    }

    /**
     * {@return whether this form is in force} Also true if no live worker has stored this form yet, because then the caller has just
     * started and its form is the newest.
     */
    boolean isInForce(String name, String form) {
        Map<String, Long> forms = since.getOrDefault(name, Map.of());
        Long own = forms.get(form);
        return own == null
                || forms.entrySet().stream()
                        .allMatch(each -> each.getKey().equals(form)
                                || each.getValue() < own
                                || (each.getValue().equals(own)
                                        // an arbitrary order, but the same for all programs
                                        && each.getKey().compareTo(form) < 0));
    }

    /** {@return a text that differs after each change} */
    String fingerprint() {
        return since.toString();
    }
}
