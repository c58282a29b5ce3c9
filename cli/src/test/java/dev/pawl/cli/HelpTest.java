package dev.pawl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help states the range and default of each option with a number or a time, and gives times with units. */
class HelpTest {
    private static final String RANGE = "(?s).*(-?\\S+ to \\S+|\\S+ or more).*";
    private static final String TIME_RANGE =
            "(?s).*(\\b\\d+(ms|s|m|h|d) to[\\s]+\\d+(ms|s|m|h|d)|\\b\\d+(ms|s)\\b( \\([^)]*\\))? or more).*";

    @Test
    void numbersAndTimesHaveRangesAndDefaults() {
        Map<String, String> wrong = new TreeMap<>();
        Map<String, Integer> seen = new HashMap<>();
        check(Main.withAllCommands(), wrong, seen);
        assertThat(wrong).isEmpty();
        assertThat(seen.get("number")).isGreaterThan(20);
        assertThat(seen.get("time")).isGreaterThan(20);
    }

    private static void check(CommandLine command, Map<String, String> wrong, Map<String, Integer> seen) {
        if (command.getCommandSpec().userObject().getClass().getPackage() == Main.class.getPackage()) {
            for (ArgSpec each : command.getCommandSpec().args()) {
                String name = command.getCommandSpec().qualifiedName() + " " + each.paramLabel();
                String text = String.join(" ", each.description());
                boolean time = isTime(each);
                if (!time && !isNumber(each)) {
                    continue;
                }
                seen.merge(time ? "time" : "number", 1, Integer::sum);
                if (!text.matches(time ? TIME_RANGE : RANGE)) {
                    wrong.put(name(each, name), "has no range: " + text);
                } else if (each instanceof OptionSpec option
                        && !option.required()
                        && !text.contains("Default:")
                        && !isChoice(option)) {
                    wrong.put(name(each, name), "has no default: " + text);
                } else if (each instanceof OptionSpec && each.paramLabel().startsWith("<")) {
                    wrong.put(name(each, name), "has no name for its value");
                }
            }
        }
        command.getSubcommands().values().forEach(sub -> check(sub, wrong, seen));
    }

    private static String name(ArgSpec arg, String name) {
        return arg instanceof OptionSpec option ? name + " " + option.longestName() : name;
    }

    /** Returns whether it is one of several exclusive options, one of which is mandatory. */
    private static boolean isChoice(OptionSpec option) {
        return option.longestName().equals("--every") || option.longestName().equals("--after");
    }

    private static boolean isNumber(ArgSpec arg) {
        Class<?>[] types = arg.typeInfo().getAuxiliaryTypes();
        boolean number = Arrays.stream(types).anyMatch(HelpTest::isNumber) || isNumber(arg.type());
        return number && !arg.paramLabel().equals("ID");
    }

    private static boolean isNumber(Class<?> type) {
        return Number.class.isAssignableFrom(type) || type == int.class || type == long.class || type == long[].class;
    }

    private static boolean isTime(ArgSpec arg) {
        String usual = arg.defaultValue();
        return arg.paramLabel().matches(".*(DURATION|TIME)") || (usual != null && usual.matches("\\d+(ms|s|m|h|d)"));
    }

    @Test
    void helpFitsItsWidth() {
        for (int width : new int[] {60, 80, 120}) {
            layout(Main.withAllCommands(), width);
        }
    }

    private static void layout(CommandLine command, int width) {
        String name = command.getCommandSpec().qualifiedName();
        String page = command.setUsageHelpWidth(width).getUsageMessage();
        assertThat(page.lines()).as(name).allSatisfy(line -> {
            assertThat(line.length()).as(line).isLessThanOrEqualTo(width);
            assertThat(line).isEqualTo(line.stripTrailing());
        });
        assertThat(words(page))
                .as(name + ": words are whole")
                .isEqualTo(words(command.setUsageHelpWidth(100_000).getUsageMessage()));
        for (String section : page.split("\n\n", -1)) {
            List<String> rows = section.lines().toList();
            if (!rows.isEmpty() && rows.get(0).endsWith(":")) {
                aligned(name, rows.subList(1, rows.size()));
            }
        }
        command.getSubcommands().values().forEach(sub -> layout(sub, width));
    }

    private static List<String> words(String page) {
        return Arrays.stream(page.split("\\s+")).toList();
    }

    /** Descriptions, and all of their lines, begin in the same column. */
    private static void aligned(String name, List<String> rows) {
        Pattern beside = Pattern.compile(" {2,6}\\S+(?: \\S+)* {2,}(?=\\S)");
        Set<Integer> columns = new TreeSet<>();
        for (String row : rows) {
            Matcher label = beside.matcher(row);
            boolean isLabel = row.charAt(2) != ' ' || row.startsWith("      --");
            if (!isLabel) {
                columns.add(row.length() - row.stripLeading().length());
            } else if (label.lookingAt()) {
                columns.add(label.end());
            }
        }
        assertThat(columns).as(name + ": " + rows).hasSize(1);
    }

    @Test
    void commandsAreGrouped() {
        Program.Result help = Program.plain("--help");
        assertThat(help.out())
                .containsSubsequence(
                        "First steps:", "  demo ", "Show:", "  jobs ", "Change what runs:", "  pause THING ");
        assertThat(help.out().lines().filter(line -> line.startsWith("  ")).count())
                .isLessThan(100);
    }

    @Test
    void verbsNameWhatTheyChange() {
        Program.Result nothing = Program.plain("pause");
        assertThat(nothing.exit()).isEqualTo(2);
        assertThat(nothing.err())
                .contains(
                        "give what to pause: pawl pause queue|kind|key|batch|schedule|worker|all", "pawl pause --help");
        Program.Result number = Program.plain("retry", "7");
        assertThat(number.exit()).isEqualTo(2);
        assertThat(number.err()).contains("'7' is none of them; give what to retry: pawl retry job|jobs|failures");
    }

    @Test
    void valuesOutOfRangeAreRefused(@TempDir Path folder) {
        Program program = Program.onFile(folder);
        program.run("add", "schedule", "nightly", "report", "--every", "1h");
        for (String limit : new String[] {"0", "-1", "1001"}) {
            Program.Result ticks = program.run("schedule", "nightly", "--limit", limit);
            assertThat(ticks.exit()).isEqualTo(2);
            assertThat(ticks.err()).contains("--limit " + limit + " is not valid: use 1 to 1000");
        }
        assertThat(program.run("gaps", "bills", "--limit", "0").err()).contains("use 1 to 10000");
        assertThat(program.run("demo", "--workers", "0").err()).contains("--workers 0 is not valid: use 1 to 500");
        assertThat(program.run("jobs", "--limit", "0").err()).contains("use 1 to 10000");
    }
}
