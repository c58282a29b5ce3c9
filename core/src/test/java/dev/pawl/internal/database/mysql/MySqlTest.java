package dev.pawl.internal.database.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.SchemaException;
import dev.pawl.internal.jdbc.TableNames;
import org.junit.jupiter.api.Test;

class MySqlTest {
    @Test
    void productAndFeaturesFollowFromTheVersionText() {
        assertThat(skipLocked("8.0.36")).isTrue();
        assertThat(skipLocked("8.0.0-dmr")).isFalse();
        assertThat(skipLocked("9.7.0-commercial")).isTrue();
        assertThat(skipLocked("8.0.11-TiDB-v8.5.1")).isFalse();
        assertThat(skipLocked("10.11.6-MariaDB-0+deb12u1")).isTrue();
        assertThat(skipLocked("10.5.29-MariaDB")).isFalse();
        assertThat(skipLocked("11.4.5-MariaDB-log")).isTrue();
        assertThat(skipLocked("5.5.5-10.6.21-MariaDB")).isTrue();
    }

    @Test
    void oldVersionsAreRefused() {
        assertThatThrownBy(() -> skipLocked("5.7.44"))
                .isInstanceOf(SchemaException.class)
                .hasMessage("MySQL 5.7.44 is too old: Pawl needs MySQL 8 or newer");
        assertThatThrownBy(() -> skipLocked("10.2.44-MariaDB"))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Pawl needs MariaDB 10.3 or newer");
        assertThatThrownBy(() -> skipLocked("5.5.5-10.2.9-MariaDB")).isInstanceOf(SchemaException.class);
    }

    /** Each statement commits by itself, and a program that finds the counter set does not check the other table. */
    @Test
    void theCounterThatSaysThatAllIsDoneIsSetLast() {
        MySqlTables tables = new MySqlTables();
        assertThat(tables.begin(5, 9))
                .containsExactly("ALTER TABLE pawl_job AUTO_INCREMENT = 9", tables.continueIdsAfter(5));
    }

    private static boolean skipLocked(String version) {
        return MySql.dialect(version, TableNames.prefixed("pawl_")).skipLockedWorks();
    }
}
