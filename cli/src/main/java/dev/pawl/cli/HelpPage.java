package dev.pawl.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help of a command, at the width of its terminal. Breaks lines between words only; the command line library would
 * also break them within words, at the hyphens of options and moments, and at the slashes of addresses.
 */
final class HelpPage {
    private static final Set<String> COMMON = Set.of(
            "--db", "--shard", "--only", "--schema", "--table-prefix", "--json", "--help", "--verbose", "--version");
    /** Minimum width of descriptions, in columns: the length of the longest address in them. */
    private static final int DESCRIPTION = 42;

    private static final int LONGEST_LABEL = 26;

    private final CommandSpec command;
    private final HelpText text;

    private HelpPage(CommandSpec command) {
        this.command = command;
        this.text = new HelpText(command.usageMessage().width());
    }

    /**
     * Replaces the help of a command and of all below it.
     *
     * @param groups the names of the commands below it by heading, or nothing for one list
     */
    static void install(CommandLine program, Map<String, List<String>> groups) {
        UsageMessageSpec usage = program.getCommandSpec().usageMessage();
        usage.sectionKeys(List.of("page"));
        usage.sectionMap().put("page", help -> new HelpPage(help.commandSpec()).render(groups));
        program.getSubcommands().values().forEach(each -> install(each, Map.of()));
    }

    private String render(Map<String, List<String>> groups) {
        text.wrap("Usage: " + synopsis(), " ".repeat("Usage: ".length() + 2));
        paragraphs(command.usageMessage().description());
        rows(
                "",
                command.positionalParameters().stream()
                        .filter(each -> !each.hidden())
                        .collect(Collectors.toMap(
                                HelpPage::label, HelpPage::description, (one, other) -> one, LinkedHashMap::new)));
        options("Options", false);
        boolean hasOwn = command.options().stream().anyMatch(each -> !isCommon(each));
        options(hasOwn ? "Options of most commands" : "Options", true);
        if (groups.isEmpty()) {
            rows(
                    isVerb(command) ? "THING is one of" : "Commands",
                    commands(command.subcommands().keySet()));
        } else {
            groups.forEach((heading, names) -> rows(heading, commands(names)));
        }
        for (String line : command.usageMessage().footer()) {
            text.wrap(line, HelpText.indent(line));
        }
        return text.toString();
    }

    private void paragraphs(String... lines) {
        for (String line : joined(lines)) {
            text.wrap(line, HelpText.indent(line));
        }
    }

    private void rows(String heading, Map<String, String> rows) {
        if (rows.isEmpty()) {
            return;
        }
        text.line("");
        if (!heading.isEmpty()) {
            text.line(heading + ":");
        }
        text.rows(rows, Math.min(LONGEST_LABEL, command.usageMessage().width() - DESCRIPTION - 4));
    }

    private void options(String heading, boolean isCommon) {
        Map<String, String> rows = new LinkedHashMap<>();
        command.options().stream()
                .filter(each -> !each.hidden() && isCommon(each) == isCommon)
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .forEach(each -> rows.put(label(each), description(each)));
        rows(heading, rows);
    }

    private static boolean isCommon(OptionSpec option) {
        return COMMON.contains(option.longestName());
    }

    private String synopsis() {
        List<String> words = new ArrayList<>(List.of(command.qualifiedName()));
        command.options().stream()
                .filter(OptionSpec::required)
                .forEach(each -> words.add(each.longestName() + value(each)));
        words.add("[OPTIONS]");
        command.positionalParameters().stream().filter(each -> !each.hidden()).forEach(each -> words.add(label(each)));
        if (!command.subcommands().isEmpty()) {
            words.add(isVerb(command) ? "THING" : "[COMMAND]");
        }
        return String.join(" ", words);
    }

    /** {@return the commands with the first sentence of their descriptions} */
    private Map<String, String> commands(Iterable<String> names) {
        Map<String, String> rows = new LinkedHashMap<>();
        for (String name : names) {
            CommandLine each = command.subcommands().get(name);
            if (each != null) {
                CommandSpec spec = each.getCommandSpec();
                String[] lines = joined(spec.usageMessage().description());
                String first = lines.length == 0 ? "" : lines[0];
                int end = first.indexOf(". ");
                rows.put(name + (isVerb(spec) ? " THING" : ""), end < 0 ? first : first.substring(0, end + 1));
            }
        }
        return rows;
    }

    /** {@return whether a command is a verb that needs an object, such as a job} */
    static boolean isVerb(CommandSpec command) {
        return !command.subcommands().isEmpty()
                && !(command.userObject() instanceof java.util.concurrent.Callable)
                && !(command.userObject() instanceof Runnable);
    }

    private static String label(PositionalParamSpec parameter) {
        String label = parameter.paramLabel() + (parameter.arity().max() > 1 ? "…" : "");
        return parameter.arity().min() == 0 ? "[" + label + "]" : label;
    }

    private static String label(OptionSpec option) {
        String names = Arrays.stream(option.names())
                .sorted(Comparator.comparingInt(String::length))
                .collect(Collectors.joining(", "));
        return (names.startsWith("--") ? "    " : "") + names + value(option);
    }

    private static String value(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        String label = "=" + option.paramLabel();
        return option.arity().min() == 0 ? "[" + label + "]" : label;
    }

    private static String description(ArgSpec argument) {
        return String.join(" ", argument.description()).replace("%%", "%");
    }

    /** {@return paragraphs of a description whose source is broken into lines} */
    private static String[] joined(String... description) {
        List<String> joined = new ArrayList<>();
        for (String line : description) {
            int last = joined.size() - 1;
            boolean continues = last >= 0 && joined.get(last).length() > 80 && !line.isEmpty() && !HelpText.isRow(line);
            if (continues) {
                joined.set(last, joined.get(last) + " " + line);
            } else {
                joined.add(line);
            }
        }
        return joined.toArray(String[]::new);
    }
}
