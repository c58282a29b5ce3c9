package dev.pawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds the classes that send SQL, and the constructs in their SQL that an engine may lack. docs/inside/statements.md lists both.
 * docs/inside/engines.md says what the engines document about each construct.
 */
class EnginesTest {
    private static final Path HOME = DocsTest.HOME;
    private static final Path JAVA = HOME.resolve("core/src/main/java/dev/pawl");
    private static final Path SQL = HOME.resolve("core/src/main/resources/dev/pawl");

    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile(
            "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'|//[^\\n]*+|/\\*[\\s\\S]*?\\*/");
    private static final Pattern SENT = Pattern.compile(
            "\\b(SELECT|INSERT (IGNORE )?INTO|UPDATE|DELETE|WHERE|FROM pawl_\\w+"
                    + "|SET (TRANSACTION|LOCAL|SESSION|autocommit)|SHOW \\w|SAVEPOINT|LOCK TABLE|ALTER|CREATE (TABLE|SEQUENCE))\\b");

    /** Finds the names of methods in the regular expression of a construct. */
    private static final Pattern METHODS = Pattern.compile("\\\\b\\(([\\w|]+)\\)\\\\\\(");

    /**
     * Constructs that an engine may lack. An expression matches a construct's SQL, or calls of the {@code Dialect} methods that produce it.
     */
    private static final Map<String, Pattern> CONSTRUCTS = constructs();

    private static final List<String> ENGINES =
            List.of("CockroachDB", "YugabyteDB", "Citus", "Aurora DSQL", "TiDB", "Vitess");

    private static Map<String, Pattern> constructs() {
        Map<String, Pattern> all = new LinkedHashMap<>();
        put(
                all,
                "row locks",
                "FOR UPDATE|SHARE MODE|\\b(forUpdate|forShare|shareSkipLocked|skipLocked|currentRead)\\(");
        put(all, "skip locked", "SKIP LOCKED|\\b(shareSkipLocked|skipLocked)\\(");
        put(all, "shared locks", "FOR SHARE|SHARE MODE|\\b(forShare|shareSkipLocked|currentRead)\\(");
        put(all, "nowait", "NOWAIT");
        put(all, "advisory locks", "pg_(try_)?advisory|GET_LOCK");
        put(all, "savepoints", "[sS]avepoint");
        put(all, "settings", "set_config|SET (LOCAL|SESSION|TRANSACTION|autocommit)|@@");
        put(all, "returning", "\\bRETURNING\\b");
        put(all, "writes in WITH", "\\bAS \\(\\s*(\"\"\"\\s*)?(\\+\\s*)?(INSERT|DELETE|UPDATE)\\b");
        put(all, "recursive WITH", "WITH RECURSIVE");
        put(all, "lateral", "\\bLATERAL\\b");
        put(all, "windows", "\\bOVER \\(");
        put(all, "arrays", "\\bunnest\\(|\\bANY \\(|\\banyOf\\(");
        put(all, "upsert", "ON CONFLICT|ON DUPLICATE|INSERT IGNORE|\\binsertIfMissing\\w*\\(");
        put(all, "hidden columns", "\\b(xmin|xmax|ctid)\\b");
        put(
                all,
                "hints",
                "FORCE INDEX|STRAIGHT_JOIN|/\\*\\+"
                        + "|\\b(jobsById|alongIds|readyTable|waitingTable|byIndex|deleteJobsById|deleteAlongIds)\\(");
        put(all, "ids", "nextval|setval|LAST_INSERT_ID|seqcache|AUTO_INCREMENT|IDENTITY");
        put(all, "notify", "\\bpg_notify\\b|\"LISTEN \"");
        put(
                all,
                "catalogue",
                "\\bpg_(class|locks|stat\\w*|settings|index\\w*|namespace|attribute|inherits|partition\\w*|sequence\\w*)\\b"
                        + "|regclass|information_schema|\\bSHOW [a-zA-Z]|current_setting");
        put(all, "tables", "CREATE (TABLE|INDEX|SEQUENCE)|ALTER (TABLE|INDEX)|DROP TABLE|LOCK TABLE");
        put(all, "partial indexes", "CREATE (UNIQUE )?INDEX[^;]* WHERE ");
        put(all, "checks", "\\bCHECK \\(");
        put(all, "routines", "CREATE (OR REPLACE )?(FUNCTION|PROCEDURE)");
        return all;
    }

    private static void put(Map<String, Pattern> all, String name, String regex) {
        all.put(name, Pattern.compile(regex));
    }

    private static String used(String code) {
        return CONSTRUCTS.entrySet().stream()
                .filter(each -> each.getValue().matcher(code).find())
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
    }

    private static List<Path> files(Path folder, String end) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(end))
                    .filter(file -> !file.toString().contains("sqlite"))
                    .toList();
        }
    }

    private static String name(Path folder, Path file, String end) {
        String path = folder.relativize(file).toString().replace('\\', '/');
        return path.substring(0, path.length() - end.length()).replaceFirst("^internal/", "");
    }

    /** The constructs of each class and script, by its path below dev.pawl. */
    private static Map<String, String> statements() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (Path file : files(JAVA, ".java")) {
            StringBuilder literals = new StringBuilder();
            String code = LITERAL_OR_COMMENT.matcher(Files.readString(file)).replaceAll(each -> {
                boolean isComment = each.group().startsWith("/");
                literals.append(each.group().startsWith("\"") ? each.group() : "")
                        .append(' ');
                return isComment ? "" : Matcher.quoteReplacement(each.group());
            });
            if (SENT.matcher(literals).find()) {
                found.put(name(JAVA, file, ".java"), used(code));
            }
        }
        for (Path file : files(SQL, ".sql")) {
            found.put(
                    name(SQL, file, "") + " (script)",
                    used(Files.readString(file).replaceAll("(?m)--.*$", "")));
        }
        return found;
    }

    /** A method without a call has probably been renamed, and then the page misses the classes that call it. */
    @Test
    void eachNamedMethodIsCalled() throws IOException {
        StringBuilder code = new StringBuilder();
        for (Path file : files(JAVA, ".java")) {
            code.append(Files.readString(file));
        }
        assertThat(CONSTRUCTS.values().stream()
                        .flatMap(each -> METHODS.matcher(each.pattern()).results())
                        .flatMap(found -> Stream.of(found.group(1).split("\\|"))))
                .hasSizeGreaterThan(10)
                .allMatch(name -> code.indexOf("." + name + "(") >= 0);
    }

    /** A new class with SQL needs a row, so that its author looks at {@code engines.md}. */
    @Test
    void thePageListsEachClassThatSendsSql() throws IOException {
        Path page = HOME.resolve("docs/inside/statements.md");
        String expected = """
                # Statements

                Every class of `core` that sends SQL, and every script, apart from those for SQLite only, with the constructs that it uses and
                that an [engine](engines.md) might lack. Where there is none, the statements are plain: selects with joins, subqueries,
                aggregates, CASE and LIMIT; inserts, updates and deletes. `EnginesTest` writes this page and compares it: do not edit it.

                | below `dev.pawl.internal` | constructs |
                |---|---|
                """
                + statements().entrySet().stream()
                        .map(each -> "| `" + each.getKey() + "` | " + each.getValue() + " |\n")
                        .collect(Collectors.joining());
        if (!Files.exists(page) || !Files.readString(page).equals(expected)) {
            Path written =
                    Files.createDirectories(HOME.resolve("testkit/target")).resolve("statements.md");
            Files.writeString(written, expected);
            assertThat(Files.exists(page) ? Files.readString(page) : "")
                    .as("copy testkit/target/statements.md to docs/inside/, and read engines.md")
                    .isEqualTo(expected);
        }
    }

    /** Each cell names a source that the page lists, or says that there is none. */
    @Test
    void whatEnginesDocumentHasASource() throws IOException {
        String page = Files.readString(HOME.resolve("docs/inside/engines.md"));
        List<String> unsourced = new ArrayList<>();
        Map<String, Integer> cells = new TreeMap<>();
        List<String> heads = List.of();
        for (String line : page.lines().toList()) {
            List<String> row =
                    List.of(line.split("\\|")).stream().map(String::strip).toList();
            if (!line.startsWith("|") || line.startsWith("|--")) {
                heads = line.startsWith("|") ? heads : List.of();
            } else if (heads.isEmpty()) {
                heads = row;
            } else if (CONSTRUCTS.containsKey(row.get(1))) {
                for (int i = 2; i < heads.size(); i++) {
                    cells.merge(row.get(1) + " in " + heads.get(i), 1, Integer::sum);
                    if (!isSourced(page, row.get(i))) {
                        unsourced.add(row.get(1) + " in " + heads.get(i) + ": " + row.get(i));
                    }
                }
            }
        }
        assertThat(unsourced).isEmpty();
        assertThat(CONSTRUCTS.keySet())
                .allSatisfy(construct -> assertThat(ENGINES)
                        .allSatisfy(engine -> assertThat(cells).containsEntry(construct + " in " + engine, 1)));
    }

    private static boolean isSourced(String page, String cell) {
        List<String> sources = Pattern.compile("\\[([a-z]+\\d+)]")
                .matcher(cell)
                .results()
                .map(each -> each.group(1))
                .toList();
        return cell.equals("not sent")
                || cell.startsWith("not documented")
                || (!sources.isEmpty()
                        && sources.stream().allMatch(source -> page.contains("\n[" + source + "]: https://")));
    }
}
