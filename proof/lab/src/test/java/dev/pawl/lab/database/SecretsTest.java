package dev.pawl.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h:5432/d?user=app&password=hunter2",
                "--db=jdbc:postgresql://h/d?user=app&password=hunter2",
                "jdbc:mariadb://app:hunter2@h/d",
                "jdbc:mysql://(host=h,user=app,password=hunter2)/d",
                "jdbc:mysql://address=(host=h)(user=app)(password=hunter2)/d",
                "postgres://app:hunter2@h/d",
                "jdbc:mariadb://h/d?password=hunter2&keyStorePassword=hunter2",
                "run --db jdbc:mysql://h/d?PASSWORD=hunter2 --jobs 10",
                "jdbc:postgresql://h/d?sslpassword=hunter2&sslmode=require",
                "jdbc:mariadb://h/d?keyPassword=hunter2",
                "jdbc:mariadb://h/d?password=a,hunter2",
                "jdbc:mariadb://h/d?password='hunter2'",
                "jdbc:mariadb://h/d?password=a;hunter2)hunter2",
                "jdbc:mariadb://app:a/hunter2@h/d",
                "jdbc:mariadb://app:a@hunter2@h/d"
            })
    void noUserAndNoPasswordIsKept(String text) {
        assertThat(Secrets.hidden(text)).doesNotContain("hunter2").doesNotContain("app");
        assertThat(Secrets.place(text)).doesNotContain("hunter2").doesNotContain("app");
        assertThatThrownBy(() -> Target.of(text.replace("jdbc:", "x:"))).hasMessageNotContaining("hunter2");
    }

    @Test
    void anErrorAboutAUrlHidesItsPassword() {
        assertThatThrownBy(() -> Target.of("jdbc:h2://h/d?password=hunter2"))
                .hasMessageContaining("no driver")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void nonSecretsAreKept() {
        String command = "pawl lab run --db jdbc:mariadb://h:3306/d?rewriteBatchedStatements=true --jobs 10";
        assertThat(Secrets.hidden(command)).isEqualTo(command);
    }

    /** Two URLs of one server with different options are two databases. */
    @Test
    void optionsBelongToThePlace() {
        assertThat(Target.of("jdbc:mariadb://h/d?user=a&password=b&rewriteBatchedStatements=true")
                        .name())
                .isEqualTo("mariadb://h/d?rewriteBatchedStatements=true");
        assertThat(Target.of("jdbc:mysql://h/d?user=a&password=b").name()).isEqualTo("mysql://h/d");
    }
}
