package dev.pawl.conformance.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExpectedStatementsTest {
    private static final Pattern BY_HAND =
            Pattern.compile("if \\([^;{]*\\b(sql|statement)\\.(contains|startsWith|endsWith|matches|indexOf)\\(");

    private final ExpectedStatements statements = new ExpectedStatements();

    @Test
    void aTestFailsIfNoStatementMatches() throws Exception {
        List<String> met = new ArrayList<>();
        TamperedDataSource.Tampering at = statements.at("^INSERT INTO \\w*pawl_turn\\b", met::add);
        at.before("INSERT INTO pawl_key (queue)\nVALUES (?)");
        assertThatThrownBy(statements::requireAll)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("pawl_turn", "INSERT INTO pawl_key (queue)");
        at.before("INSERT INTO t1_pawl_turn (queue)\nVALUES (?)");
        assertThatCode(statements::requireAll).doesNotThrowAnyException();
        assertThat(met).containsExactly("INSERT INTO t1_pawl_turn (queue)\nVALUES (?)");
    }

    @Test
    void aTestFailsIfNothingIsRewritten() {
        UnaryOperator<String> rewriting = statements.rewriting("^SELECT", "LIMIT 1", "LIMIT 2");
        assertThat(rewriting.apply("DELETE FROM t LIMIT 1")).isEqualTo("DELETE FROM t LIMIT 1");
        assertThatThrownBy(statements::requireAll).hasMessageContainingAll("LIMIT 1", "DELETE");
        assertThat(rewriting.apply("SELECT 1 LIMIT 1")).isEqualTo("SELECT 1 LIMIT 2");
        assertThatCode(statements::requireAll).doesNotThrowAnyException();
    }

    @Test
    void noContractChoosesStatementsByHand() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/java/dev/pawl/conformance/contract"))) {
            for (Path file : files.toList()) {
                assertThat(Files.readString(file)).as("use Fixture.at: " + file).doesNotContainPattern(BY_HAND);
            }
        }
    }
}
