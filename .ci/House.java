import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the structure of the library: {@code java .ci/House.java [ROOT]}. Reads sources only. Each figure has a ceiling, and the program
 * ends with code 1 if a figure is above its ceiling. When a figure falls, lower its ceiling. Raise a ceiling only with a reason in {@code
 * docs/inside/packages.md}. With the variable {@code HOUSE_NAMES=1} it also prints the names of the files that know a feature.
 */
public final class House {
    /**
     * What a feature consists of.
     *
     * @param packages below {@code dev.pawl}
     * @param words a pattern for the names of its types outside these packages, and of variables that hold its objects
     * @param tables a pattern for the names of its tables, without their prefix
     * @param most the maximum number of files outside the feature that may know it
     */
    private record Feature(String packages, String words, String tables, int most) {}

    /** Packages of features that are not measured, because their types are named like those of other features. */
    private static final String OTHERS = "internal.unique internal.backlog internal.result internal.rate";

    private static final Map<String, Feature> FEATURES = new LinkedHashMap<>();

    static {
        // A type in the package of a feature belongs to that feature only, even if its name contains a word of another
        // one.
        FEATURES.put("lanes", new Feature("internal.lane", "\\w*Lanes?(?![a-z])\\w*|lanes?\\w*", "lane(_job|_range|_fence)?", 5));
        // Leaves out generated keys, which are JDBC's, and unique keys, which are another feature.
        FEATURES.put(
                "concurrency keys",
                new Feature("internal.key", "\\w*(?<![Gg]enerated|[Uu]nique)Key(s|ed|Turns|Position|Names|Keeper|edJobs)(?![a-z])\\w*", "keyed|key", 5));
        // Leaves out JDBC's batches, which consist of statements and not of jobs.
        FEATURES.put(
                "batches, workflows",
                new Feature(
                        "internal.batch", "(?!(add|execute)Batch\\b)\\w*(Batch|Workflow)(es|s)?(?![a-z])\\w*", "batch(_job|_count|_pause)?|node|edge", 5));
        // Leaves out SQL's LIMIT, and limits of payloads, networks and single runs, because none of them limits how
        // many jobs run.
        FEATURES.put(
                "limits",
                new Feature(
                        "limit internal.limit internal.quota",
                        "(?!(with|bind|Payload|Network|Run)Limits?\\b)\\w*(Limit(?!ed)|Quota|Breaker)s?(?![a-z])\\w*",
                        "limit|permit",
                        5));
        FEATURES.put("remote runs", new Feature("internal.remote", "\\w*(Remote|Assign|HandOff|Handoff)\\w*", "assignment|remote_worker", 5));
        // Leaves out FetchSignal, which wakes the fetcher. It is not a signal for which jobs wait.
        FEATURES.put(
                "steps",
                new Feature("internal.step", "\\w*(JobStep|(?<!Fetch)Signal|StepStore|StepRow|SqlSteps|ActiveSteps|SpentSteps)\\w*", "step", 5));
        FEATURES.put(
                "schedules",
                new Feature("schedule internal.schedule", "\\w*(Schedule(?!d)|Timekeeper|Cron|Recurrence|TickSource|Declaration)\\w*", "schedule|tick", 5));
        // A chunked body of HTTP is no chunk of jobs.
        FEATURES.put("chunks", new Feature("internal.http", "\\w*Chunk\\w*|chunk\\w*", "none", 5));
        // Leaves out Sleeper, which waits for the next wake-up or poll, because its worker still polls and is not
        // suspended.
        FEATURES.put("suspend when idle", new Feature("", "\\w*(Stillness|Calm|Sleep(?!ing|er)|IdleGate|IdleSuspend)\\w*", "none", 5));
        FEATURES.put("slots", new Feature("internal.slot", "\\w*Slots?(?![a-z])\\w*", "slot(_series)?", 5));
    }

    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'|//[^\\n]*+|/\\*[\\s\\S]*?\\*/");
    /** May be raised for new features only. */
    private static final int MAX_LINES = 81_550;

    private static final Pattern IDIOM = Pattern.compile(
            "\\b(somebody|nobody|whoever|whatever|so\\s+many|so\\s+long|meanwhile|lately)\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z']*");

    private final Path root;
    private final List<String> above = new ArrayList<>();

    private House(Path root) {
        this.root = root;
    }

    public static void main(String[] arguments) {
        House house = new House(Path.of(arguments.length > 0 ? arguments[0] : "."));
        house.print();
        if (!house.above.isEmpty()) {
            System.out.println("above the ceiling: " + house.above);
            System.exit(1);
        }
    }

    private void print() {
        Map<Path, String> library = read("core/src/main/java");
        long lines = library.values().stream().mapToLong(text -> text.lines().count()).sum();
        long code = library.values().stream()
                .map(House::withoutComments)
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .count();
        row("library, lines of main", lines, "of code: " + code + "; target 45,000 lines", MAX_LINES);
        row("statements prepared by hand", count(library.values(), "try \\(PreparedStatement"), "", 60);
        Map<String, String> packages = packages(library);
        FEATURES.forEach((name, feature) -> known(name, feature, library, packages));
        cycles(library);
        constructors(library);
        words();
        row("versions of the schema", Math.max(0, count(read("core/src/main/resources", ".txt").values(), "(?m)^\\w+$")), "target 1", 1);
    }

    /** {@return the packages of features, below {@code dev.pawl}, by the names of their types} */
    private Map<String, String> packages(Map<Path, String> library) {
        Set<String> features = new HashSet<>(List.of(OTHERS.split(" ")));
        FEATURES.values().forEach(feature -> features.addAll(List.of(feature.packages.split(" "))));
        Map<String, String> packages = new HashMap<>();
        library.keySet().forEach(path -> {
            String folder = slashes(Path.of("core/src/main/java/dev/pawl").relativize(path.getParent())).replace('/', '.');
            if (features.contains(folder)) {
                packages.put(simpleName(path), folder);
            }
        });
        return packages;
    }

    /** Reports the files that know a feature: their code names a word, type or table of the feature, or imports from its packages. */
    private void known(String name, Feature feature, Map<Path, String> library, Map<String, String> packages) {
        Set<String> own = Set.of(feature.packages.split(" "));
        Pattern types = Pattern.compile("\\b(" + feature.words + ")\\b");
        Pattern tables = Pattern.compile("\\bpawl_(" + feature.tables + ")\\b");
        String internal = own.stream().filter(each -> each.startsWith("internal") && !each.equals("internal.http")).collect(Collectors.joining("|"));
        Pattern imports = Pattern.compile("(?m)^import (static )?dev\\.pawl\\.(" + internal.replace(".", "\\.") + ")\\.[A-Z]");
        Set<String> knowing = new TreeSet<>();
        library.forEach((path, text) -> {
            String folder = slashes(Path.of("core/src/main/java/dev/pawl").relativize(path.getParent())).replace('/', '.');
            String type = simpleName(path);
            String of = packages.get(type);
            boolean isOwn = own.contains(folder) || (of == null && types.matcher(type).matches());
            String codeOnly = withoutComments(text);
            if (folder.startsWith("internal")
                    && !isOwn
                    && (types.matcher(codeOnly.replaceAll(LITERALS, "\"\"")).results().anyMatch(each -> isOf(own, each.group(), packages))
                            || tables.matcher(codeOnly).find()
                            || (!internal.isEmpty() && imports.matcher(codeOnly).find()))) {
                knowing.add(type);
            }
        });
        row("files that know: " + name, knowing.size(), "target 5", feature.most);
        if (System.getenv("HOUSE_NAMES") != null) {
            System.out.println("      " + knowing);
        }
    }

    /**
     * {@return whether a word counts as a feature's own; false if it is the name of another feature's type, or of a variable that is named
     * after such a type}
     */
    private static boolean isOf(Set<String> own, String word, Map<String, String> packages) {
        String of = packages.get(Character.toUpperCase(word.charAt(0)) + word.substring(1));
        return of == null || own.contains(of);
    }

    private static final String LITERALS = "\"(?:\\\\.|[^\"\\\\\\n])*+\"";

    private void cycles(Map<Path, String> library) {
        Map<String, Set<String>> uses = new TreeMap<>();
        Pattern imported = Pattern.compile("(?m)^import (?:static )?(dev\\.pawl[.a-z]*)\\.[A-Z]");
        library.forEach((path, text) -> {
            String from = slashes(Path.of("core/src/main/java").relativize(path.getParent())).replace('/', '.');
            Matcher found = imported.matcher(text);
            while (found.find()) {
                if (!found.group(1).equals(from)) {
                    uses.computeIfAbsent(from, any -> new TreeSet<>()).add(found.group(1));
                }
            }
        });
        Map<String, Set<String>> reach = new TreeMap<>();
        uses.keySet().forEach(from -> reach.put(from, reachable(from, uses)));
        long inCycle = reach.entrySet().stream()
                .filter(each -> each.getValue().contains(each.getKey()))
                .count();
        row("packages in cycles", inCycle, "of " + uses.size() + "; target 0", 0);
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (seen.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }

    private void constructors(Map<Path, String> library) {
        Map<String, Integer> parameters = new HashMap<>();
        Map<String, Integer> longest = new HashMap<>();
        library.forEach((path, text) -> {
            String name = simpleName(path);
            String codeOnly = withoutComments(text).replaceAll(LITERALS, "\"\"");
            Matcher found = Pattern.compile("(?m)^    (?:public |private |protected )?" + name + "\\(([^)]*)\\)[^{;]*\\{").matcher(codeOnly);
            while (found.find()) {
                String list = found.group(1).replaceAll("<[^<>]*(<[^<>]*>)?[^<>]*>", "").strip();
                parameters.merge(name, list.isEmpty() ? 0 : list.split(",").length, Math::max);
                int end = codeOnly.indexOf("\n    }", found.end());
                longest.merge(name, (int) codeOnly.substring(found.end(), Math.max(end, found.end())).lines().count(), Math::max);
            }
        });
        row("constructors, most parameters", top(parameters, 7), "more than 7: " + over(parameters, 7) + "; target 7", 7);
        row("constructors, longest in lines", top(longest, 40), "more than 40: " + over(longest, 40) + "; target 40", 40);
    }

    private static long top(Map<String, Integer> of, int any) {
        return of.values().stream().mapToInt(each -> each).max().orElse(0);
    }

    private static List<String> over(Map<String, Integer> of, int most) {
        return of.entrySet().stream()
                .filter(each -> each.getValue() > most)
                .sorted(Comparator.comparing((Map.Entry<String, Integer> each) -> -each.getValue()))
                .map(each -> each.getKey() + " " + each.getValue())
                .toList();
    }

    private void words() {
        for (String module : List.of("core", "docs", "cli", "importers", "dashboard", "manager", "metrics", "spring", "testkit", "proof/lab",
                "proof/servers", "proof/conformance", "proof/specification")) {
            long words = 0;
            long idioms = 0;
            for (String each : List.of(".java", ".kt", ".md")) {
                for (String text : read(module, each).values()) {
                    String prose = each.equals(".md") ? text : comments(text);
                    words += WORD.matcher(prose).results().count();
                    idioms += IDIOM.matcher(prose).results().count();
                }
            }
            double figure = idioms * 10_000.0 / Math.max(1, words);
            System.out.printf("%-34s %8.1f   %s%n", "idioms in 10,000 words: " + module, figure, "target 3");
            if (figure > 3) {
                above.add("idioms in " + module);
            }
        }
    }

    private void row(String what, long figure, String note, long ceiling) {
        System.out.printf("%-34s %8d   %s%n", what, figure, note);
        if (figure > ceiling) {
            above.add(what + ": " + figure + ", at most " + ceiling);
        }
    }

    private static long count(Collection<String> texts, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return texts.stream().mapToLong(text -> compiled.matcher(text).results().count()).sum();
    }

    private static String comments(String text) {
        StringBuilder all = new StringBuilder();
        LITERAL_OR_COMMENT.matcher(text).results().map(each -> each.group()).filter(each -> each.startsWith("/")).forEach(each -> all.append(each).append(' '));
        return all.toString();
    }

    private static String withoutComments(String text) {
        return LITERAL_OR_COMMENT.matcher(text).replaceAll(each -> Matcher.quoteReplacement(each.group().startsWith("/") ? "" : each.group()));
    }

    private static String simpleName(Path path) {
        String name = path.getFileName().toString();
        return name.substring(0, name.indexOf('.'));
    }

    private static String slashes(Path path) {
        return path.toString().replace('\\', '/');
    }

    private Map<Path, String> read(String folder) {
        return read(folder, ".java");
    }

    private Map<Path, String> read(String folder, String ending) {
        Map<Path, String> texts = new TreeMap<>();
        Path start = root.resolve(folder);
        if (!Files.isDirectory(start)) {
            return texts;
        }
        try (Stream<Path> files = Files.walk(start)) {
            List<Path> all = new ArrayList<>(files.filter(each -> each.toString().endsWith(ending)).toList());
            for (Path each : all) {
                if (Arrays.stream(slashes(each).split("/")).noneMatch(part -> part.equals("target") || part.equals("out"))) {
                    texts.put(root.relativize(each), Files.readString(each));
                }
            }
            return texts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
