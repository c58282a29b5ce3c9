package dev.pawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pawl.api.TypeToken;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.junit.jupiter.api.Test;

class TypeTokenTest {
    static <T> void parameters(String plain, List<Long> full, T variable, List<? extends Number> bounded) {}

    private static Type parameter(int index) throws Exception {
        Method method =
                TypeTokenTest.class.getDeclaredMethod("parameters", String.class, List.class, Object.class, List.class);
        return method.getGenericParameterTypes()[index];
    }

    @Test
    void reflectedTypesEqualWrittenOnes() throws Exception {
        assertThat(TypeToken.ofType(parameter(0))).isEqualTo(TypeToken.of(String.class));
        assertThat(TypeToken.ofType(parameter(1)).type()).isEqualTo(new TypeToken<List<Long>>() {}.type());
    }

    @Test
    void typeVariablesAreRefused() throws Exception {
        assertThatThrownBy(() -> TypeToken.ofType(parameter(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a complete type");
        Type wildcard = ((java.lang.reflect.ParameterizedType) parameter(3)).getActualTypeArguments()[0];
        assertThatThrownBy(() -> TypeToken.ofType(wildcard)).isInstanceOf(IllegalArgumentException.class);
    }
}
