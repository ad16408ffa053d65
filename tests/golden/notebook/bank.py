class InsufficientFunds(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need}, have {have}")
        self.need, self.have = need, have
class Account:
    interest = 0.02
    _registry = []
    def __init__(self, owner, balance=0):
        self.owner, self.__balance = owner, balance
        Account._registry.append(self)
    @property
    def balance(self): return self.__balance
    def deposit(self, n):
        if n <= 0: raise ValueError("amount must be positive")
        self.__balance += n
        return self
    def withdraw(self, n):
        if n > self.__balance: raise InsufficientFunds(n, self.__balance)
        self.__balance -= n
        return self
a = Account("ann", 10).deposit(5)
for f, n in ((a.withdraw, 100), (a.deposit, -1), (a.withdraw, 3)):
    try:
        f(n)
    except InsufficientFunds as e:
        print(type(e).__name__, e, e.need - e.have)
    except ValueError as e:
        print("value", e)
    else:
        print("ok", a.balance)
    finally:
        print("-" * 10)
try:
    a.balance = 5
except AttributeError as e:
    print(e)
print(len(Account._registry), hasattr(a, "balance"))
