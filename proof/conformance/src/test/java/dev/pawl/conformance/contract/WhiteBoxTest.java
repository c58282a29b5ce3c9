package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test of a contract is marked if it uses internal types, so that readers know which tests change when the library is rebuilt. */
class WhiteBoxTest {
    private static final Path FOLDER = Path.of("src", "test", "java", "dev", "pawl", "conformance", "contract");
    private static final Pattern TESTS =
            Pattern.compile("^ +@(Test|ParameterizedTest|TestFactory)\\b", Pattern.MULTILINE);
    private static final Pattern INTERNALS =
            Pattern.compile("^import (static )?dev\\.pawl\\.internal\\.", Pattern.MULTILINE);
    private static final Pattern MARK = Pattern.compile("^@WhiteBox$", Pattern.MULTILINE);

    @Test
    void whatUsesInternalTypesIsMarked() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(FOLDER)) {
            files = all.toList();
        }
        assertThat(files).isNotEmpty().allSatisfy(file -> {
            String source = Files.readString(file);
            boolean isWhiteBox =
                    TESTS.matcher(source).find() && INTERNALS.matcher(source).find();
            assertThat(MARK.matcher(source).find()).as(file.toString()).isEqualTo(isWhiteBox);
        });
    }
}
