package dev.pawl.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

class BootVersionTest {
    @Test
    void theMatchingVersionIsAccepted() {
        assertThat(BootVersion.warning(SpringBootVersion.getVersion())).isNull();
        assertThat(BootVersion.warning(null)).isNull();
    }

    @Test
    void otherVersionsAreToldTheRightStarter() {
        String other = ThisStarter.BOOT.equals("4.") ? "3.5.9" : "4.0.1";
        assertThat(BootVersion.warning(other))
                .startsWith(ThisStarter.NAME + " is for Spring Boot " + ThisStarter.BOOT + "x")
                .contains("this is Spring Boot " + other)
                .endsWith("Take " + ThisStarter.OTHER + " instead");
    }
}
