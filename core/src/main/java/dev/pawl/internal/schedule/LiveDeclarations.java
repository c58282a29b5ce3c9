package dev.pawl.internal.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which schedules live workers declare, and in which forms. The newest form is in force: the one whose first live worker started last. So
 * an old release's worker that restarts does not bring its form back while others of that release have been running all along.
 */
final class LiveDeclarations {
    /** By name and form, when the first worker started that declares it so. */
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

    /** {@return whether a live worker declares it in this form, as far as can be told} */
    boolean has(String name, String form) {
        return since.getOrDefault(name, Map.of()).keySet().stream().anyMatch(each -> ScheduleForms.same(each, form));
    }

    /** {@return whether this form is in force} Also if no worker has it yet: the one that asks has just started. */
    boolean isInForce(String name, String form) {
        Map<String, Long> forms = since.getOrDefault(name, Map.of());
        Long own = forms.get(form);
        return own == null
                || forms.entrySet().stream()
                        .allMatch(each -> each.getKey().equals(form)
                                || each.getValue() < own
                                || (each.getValue().equals(own)
                                        && each.getKey().compareTo(form) < 0)); // any order, but the same for all
    }

    /** {@return a text that differs after each change} */
    String seen() {
        return since.toString();
    }
}
