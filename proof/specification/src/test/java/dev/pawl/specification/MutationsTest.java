package dev.pawl.specification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The patches of {@code mutations/} fit the code: what a hunk expects stands in the file as one run of lines, at any place. */
class MutationsTest {
    private static final Path ROOT = Files.exists(Path.of("mutations")) ? Path.of("../..") : Path.of(".");

    @Test
    void patchesFitTheCode() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Path> patches;
        try (Stream<Path> all = Files.list(ROOT.resolve("proof/specification/mutations"))) {
            patches = all.filter(each -> each.toString().endsWith(".patch")).toList();
        }
        assertThat(patches).hasSizeGreaterThan(30);
        for (Path patch : patches) {
            requireFit(patch, wrong);
        }
        assertThat(wrong).isEmpty();
    }

    private static void requireFit(Path patch, List<String> wrong) throws IOException {
        String file = "";
        StringBuilder expected = new StringBuilder();
        for (String line : Files.readAllLines(patch)) {
            if (line.startsWith("--- ") || line.startsWith("@@")) {
                require(patch, file, expected, wrong);
            } else if (line.startsWith("+++ b/")) {
                file = line.substring("+++ b/".length());
            } else if (!file.isEmpty() && (line.isEmpty() || line.startsWith(" ") || line.startsWith("-"))) {
                expected.append(line.isEmpty() ? "" : line.substring(1)).append('\n');
            }
        }
        require(patch, file, expected, wrong);
    }

    private static void require(Path patch, String file, StringBuilder expected, List<String> wrong)
            throws IOException {
        String lines = expected.toString();
        expected.setLength(0);
        Path code = ROOT.resolve(file);
        if (!lines.isEmpty()
                && (!Files.isRegularFile(code) || !Files.readString(code).contains(lines))) {
            wrong.add(patch.getFileName() + " does not fit " + file + ":\n" + lines);
        }
    }
}
