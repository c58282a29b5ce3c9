package dev.pawl.cli;

import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The members of what commands print as JSON, with their types: {@code jobs [].attempt number}. */
final class JsonShape {
    /** Members whose content belongs to users. */
    private static final Set<String> FREE = Set.of("payload", "headers", "result");

    private final TreeMap<String, TreeSet<String>> types = new TreeMap<>();

    void add(String command, JsonNode node) {
        add(command, node, false);
    }

    private void add(String path, JsonNode node, boolean isFree) {
        if (isFree && !node.isNull()) {
            note(path, "any");
        } else if (node.isArray()) {
            note(path, "array");
            node.forEach(item -> add(path + "[]", item, false));
        } else if (node.isObject()) {
            note(path, "object");
            node.properties()
                    .forEach(member ->
                            add(path + "." + member.getKey(), member.getValue(), FREE.contains(member.getKey())));
        } else if (node.isNull()) {
            types.computeIfAbsent(path, any -> new TreeSet<>());
        } else {
            note(path, node.isString() ? "string" : node.isNumber() ? "number" : "boolean");
        }
    }

    private void note(String path, String type) {
        types.computeIfAbsent(path, any -> new TreeSet<>()).add(type);
    }

    /**
     * {@return the differences from expected lines} A member that was null fits any type, because one run of the test may have progressed
     * further than another when a command is called.
     */
    List<String> differences(List<String> expected) {
        Set<String> wanted = new TreeSet<>(expected);
        Set<String> differences = new TreeSet<>();
        types.forEach((path, seen) -> {
            String line = (path + " " + String.join(" or ", seen)).strip();
            boolean fits = seen.isEmpty()
                    ? wanted.removeIf(each -> each.equals(path) || each.startsWith(path + " "))
                    : wanted.remove(line) || wanted.remove(path);
            if (!fits) {
                differences.add("+ " + line);
            }
        });
        wanted.forEach(line -> differences.add("- " + line));
        return List.copyOf(differences);
    }
}
