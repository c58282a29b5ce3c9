package dev.pawl.specification;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The patches of {@code mutations/} fit the code: the lines that a hunk expects are in its file, and the result is Java. */
class MutationsTest {
    private static final Path ROOT = Files.exists(Path.of("mutations")) ? Path.of("../..") : Path.of(".");

    private final List<String> wrong = new ArrayList<>();

    @Test
    void patchesFitTheCode() throws IOException {
        List<Path> patches;
        try (Stream<Path> all = Files.list(ROOT.resolve("proof/specification/mutations"))) {
            patches = all.filter(each -> each.toString().endsWith(".patch")).toList();
        }
        assertThat(patches).hasSizeGreaterThan(30);
        for (Path patch : patches) {
            Map<String, String> patched = patched(patch);
            patched.forEach((file, code) -> requireJava(patch, file, code));
        }
        assertThat(wrong).isEmpty();
    }

    /** {@return the contents of the files that a patch changes, after the change, by path} */
    private Map<String, String> patched(Path patch) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        String file = "";
        StringBuilder before = new StringBuilder();
        StringBuilder after = new StringBuilder();
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith("--- ") || line.startsWith("@@")) {
                replace(patch, files, file, before, after);
            } else if (line.startsWith("+++ b/")) {
                file = line.substring("+++ b/".length());
            } else if (!file.isEmpty()) {
                String text = line.isEmpty() ? "\n" : line.substring(1) + "\n";
                before.append(line.startsWith("+") ? "" : text);
                after.append(line.startsWith("-") ? "" : text);
            }
        }
        replace(patch, files, file, before, after);
        return files;
    }

    private void replace(Path patch, Map<String, String> files, String file, StringBuilder before, StringBuilder after)
            throws IOException {
        if (!before.isEmpty()) {
            Path code = ROOT.resolve(file);
            String old =
                    files.containsKey(file) ? files.get(file) : Files.isRegularFile(code) ? Files.readString(code) : "";
            int place = old.indexOf(before.toString());
            if (place < 0) {
                wrong.add(patch.getFileName() + " does not fit " + file + ":\n" + before);
            } else {
                files.put(file, old.substring(0, place) + after + old.substring(place + before.length()));
            }
        }
        before.setLength(0);
        after.setLength(0);
    }

    private void requireJava(Path patch, String file, String code) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
        JavacTask task = (JavacTask) compiler.getTask(null, null, found, null, null, List.of(source));
        try {
            task.parse().forEach(unit -> assertThat(unit.getTypeDecls()).isNotEmpty());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        found.getDiagnostics().forEach(each -> wrong.add(patch.getFileName() + ": " + each));
    }
}
