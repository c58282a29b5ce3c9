package dev.pawl.internal.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The schedules that live workers declare, and their forms. The newest form is in force: the one whose first live
 * worker started last. So a restarted worker of an old release does not restore its form while other workers of that
 * release are running, because their earlier start counts.
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

    /** {@return whether this form is in force} Also true if no worker has it yet, because then the caller has just started. */
    boolean isInForce(String name, String form) {
        Map<String, Long> forms = since.getOrDefault(name, Map.of());
        Long own = forms.get(form);
        return own == null
                || forms.entrySet().stream()
                        .allMatch(each -> each.getKey().equals(form)
                                || each.getValue() < own
                                || (each.getValue().equals(own)
                                        && each.getKey().compareTo(form) < 0)); // any order that all use
    }

    /** {@return a text that differs after each change} */
    String fingerprint() {
        return since.toString();
    }
}
